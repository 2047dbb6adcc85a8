//! The name of a project's folder.

use unicode_normalization::UnicodeNormalization as _;

/// The longest name that is not cut.
const LONGEST: usize = 200;

/// Returns the name of the folder that holds the sessions of the project at `cwd`.
pub(in crate::harness::claude) fn name(cwd: &str) -> String {
    // Some systems write an accent as a character of its own; the program puts both together.
    let cwd: String = cwd.nfc().collect();
    let plain = |unit: u16| char::from_u32(unit.into()).filter(char::is_ascii_alphanumeric);
    let mut name: String = cwd.encode_utf16().map(|unit| plain(unit).unwrap_or('-')).collect();
    if name.len() > LONGEST {
        name.truncate(LONGEST);
        name.push('-');
        name.push_str(&base36(hash(&cwd)));
    }
    name
}

/// The hash of strings in Java, which the program uses too.
fn hash(text: &str) -> u32 {
    let step = |hash: i32, unit: u16| hash.wrapping_mul(31).wrapping_add(unit.into());
    text.encode_utf16().fold(0, step).unsigned_abs()
}

fn base36(mut number: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.extend(char::from_digit(number % 36, 36));
        number /= 36;
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_is_no_letter_or_digit_becomes_a_dash() {
        assert_eq!(name("/home/ada/My_proj.v1"), "-home-ada-My-proj-v1");
        assert_eq!(name("/a/.hidden"), "-a--hidden");
        assert_eq!(name("C:\\Apps\\x"), "C--Apps-x");
        assert_eq!(name("/caf\u{e9}/\u{1f600}"), "-caf----");
        assert_eq!(name("/cafe\u{301}"), "-caf-");
    }

    #[test]
    fn a_long_name_is_cut_and_gets_a_hash() {
        assert_eq!(hash("abc"), 96354);
        assert_eq!(base36(96354), "22ci");
        let long = format!("/{}", "a".repeat(250));
        let name = name(&long);
        assert_eq!(name[..200], format!("-{}", "a".repeat(199)));
        assert_eq!(name[200..], format!("-{}", base36(hash(&long))));
        assert_eq!(super::name(&format!("/{}", "a".repeat(199))).len(), 200);
    }
}
