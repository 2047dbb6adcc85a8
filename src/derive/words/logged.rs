//! Lines of logs.

/// How many bytes of a line can stand before and in the time of a log.
const STAMP_BYTES: usize = 40;
/// How many letters such a stamp can have: a month, the level.
const STAMP_LETTERS: usize = 4;

/// Whether a line is that of a log by how it begins: `11-25 09:00:11.300 …`, `Nov 25 09:00:11 db2 …`,
/// `W, [2026-11-25T09:00:11 …`, `web-1  | …`.
pub(super) fn is_logged(line: &str) -> bool {
    let head = &line[..line.floor_char_boundary(STAMP_BYTES)];
    let is_clock = |at: &[u8]| {
        at.iter().enumerate().all(|(place, byte)| match place {
            2 | 5 => *byte == b':',
            _ => byte.is_ascii_digit(),
        })
    };
    let clock = head.as_bytes().windows("hh:mm:ss".len()).position(is_clock);
    let stamped = clock.and_then(|at| head.get(..at)).is_some_and(|before| {
        let letters = before.chars().filter(|c| c.is_alphabetic()).count();
        letters <= STAMP_LETTERS
            && (before.is_empty() || before.contains(|c: char| c.is_ascii_digit()))
    });
    let named = head.split_once('|').map(|(name, _)| name.trim_end());
    let is_service = |name: &str| {
        let number = name.rsplit_once(['-', '_']).map_or("", |(_, number)| number);
        !name.contains(' ') && !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
    };
    stamped || named.is_some_and(is_service)
}

#[cfg(test)]
mod tests {
    use super::super::sentence::typed;

    fn texts(message: &str) -> Vec<String> {
        typed(message).into_iter().map(|sentence| sentence.text).collect()
    }

    #[test]
    fn lines_of_logs_give_no_words() {
        for line in [
            "11-25 09:00:11.300  8811  8811 W Tasks: You should never call finish() here",
            "Nov 25 09:00:11 db2 systemd[1]: Never start more than one instance",
            "W, [2026-11-25T09:00:11.000000 #7]  WARN -- : Never call save! here",
            "web-1  | (node:1) Warning: Do not set NODE_ENV by hand",
        ] {
            let message = format!("It fails like this:\n\n{line}\n\nmin sdk must stay 26");
            assert_eq!(texts(&message), ["It fails like this:", "min sdk must stay 26"], "{line}");
        }
        for line in ["At 09:00:11 it must not run.", "Use a | b, never c.", "never run it at 09:00"]
        {
            assert_eq!(texts(line), [line]);
        }
    }
}
