//! Whether a message only thanks or takes leave.

use crate::model::QUESTION_MARKS;

/// A message of more words says something else, too.
const MOST_WORDS: usize = 10;
/// Words that thank, take leave or praise. A bare assent can be one to what the agent means to do.
const THANKS: &[&str] = &[
    "bye",
    "cheers",
    "excellent",
    "goodbye",
    "great",
    "nice",
    "perfect",
    "thank",
    "thanks",
    "thx",
    "ty",
    "wonderful", // English
    "danke",
    "dankeschön",
    "perfekt",
    "prima",
    "super",
    "tschüss", // German
    "merci",
    "parfait",
    "gracias",
    "perfecto",
    "obrigada",
    "obrigado",
    "perfeito",
    "grazie",
    "perfetto",
    "bedankt",
    "dank",
    "dzięki",
    "dziękuję",
    "teşekkürler",
    "teşekkür",
    "sağol",
    "спасибо",
    "отлично",
    "пока",
    "شكرا",
];
/// Words that say nothing beside them.
const BESIDE: &[&str] = &[
    "a",
    "again",
    "all",
    "evening",
    "everything",
    "for",
    "help",
    "is",
    "it",
    "job",
    "looks",
    "lot",
    "much",
    "night",
    "now",
    "s",
    "so",
    "that",
    "thats",
    "the",
    "this",
    "today",
    "very",
    "was",
    "well",
    "work",
    "you",
    "your",
    "done",
    "cool",
    "fine",
    "good",
    "ok",
    "okay", // English
    "alles",
    "das",
    "dir",
    "für",
    "gut",
    "heute",
    "ist",
    "sehr",
    "sieht",
    "vielen",
    "war", // German
    "aujourd",
    "beaucoup",
    "bien",
    "bon",
    "c",
    "est",
    "hui",
    "pour",
    "tout", // French
    "eso",
    "es",
    "esto",
    "hoy",
    "muchas",
    "por",
    "todo", // Spanish
    "isso",
    "hoje",
    "muito",
    "tudo",
    "é", // Portuguese
    "mille",
    "oggi",
    "per",
    "tutto",
    "è", // Italian
    "wel",
    "je",
    "dat",
    "was",
    "to",
    "wszystko",
    "na",
    "dziś",
    "bardzo",
    "большое",
    "хорошо",
    "всё",
    "все",
    "на",
    "сегодня",
    "это",
];
/// Phrases of scripts without blanks between words, the longest first.
const UNPARTED: &[&str] = &[
    "今天就到这里",
    "辛苦了",
    "非常感谢",
    "谢谢你",
    "谢谢您",
    "谢谢",
    "多谢",
    "感谢",
    "再见",
    "ありがとうございました",
    "ありがとうございます",
    "ありがとう",
    "お疲れ様でした",
    "お疲れさまでした",
    "完璧です",
    "감사합니다",
    "고맙습니다",
    "고마워요",
    "고마워",
    "수고하셨습니다",
];

/// Tells whether a message has no more than words of thanks or leave.
pub(in super::super) fn takes_leave(message: &str) -> bool {
    let parted = |c: char| !c.is_alphanumeric();
    let count = message.split(parted).filter(|word| !word.is_empty()).take(MOST_WORDS + 1).count();
    if count == 0 || count > MOST_WORDS || message.contains(QUESTION_MARKS) {
        return false;
    }
    let mut rest = message.to_lowercase();
    UNPARTED.iter().for_each(|phrase| rest = rest.replace(phrase, " "));
    let is_unparted = rest.len() != message.to_lowercase().len();
    let words: Vec<&str> = rest.split(parted).filter(|word| !word.is_empty()).collect();
    let thanks = |word: &&str| THANKS.contains(word);
    words.iter().all(|word| thanks(word) || BESIDE.contains(word))
        && (is_unparted || words.iter().any(thanks))
}

#[cfg(test)]
mod tests {
    use super::takes_leave;

    #[test]
    fn thanks_are_told_from_requests() {
        for words in [
            "thanks!",
            "Thanks, that is all for today",
            "perfect, thanks",
            "bye",
            "That's great, thank you so much.",
            "danke, das war alles für heute",
            "merci, c'est tout",
            "谢谢，今天就到这里",
            "ありがとうございます！",
            "감사합니다",
            "спасибо, на сегодня всё",
            "gracias, eso es todo",
        ] {
            assert!(takes_leave(words), "{words}");
        }
        for words in [
            "",
            "!",
            "yes",
            "ok",
            "fine",
            "looks good",
            "好的",
            "go on",
            "all of it",
            "thanks, now push it",
            "ok, do it",
            "looks good?",
            "谢谢，请提交代码",
            "好的，请提交代码并推送到远程分支",
            "good. is it done for all of the pages now, and for the docs",
        ] {
            assert!(!takes_leave(words), "{words}");
        }
    }
}
