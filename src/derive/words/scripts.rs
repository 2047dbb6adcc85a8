//! How languages forbid that put the verb last, or no blanks between words: Chinese, Japanese, Korean, Hindi and
//! Turkish.

use super::super::pattern::Pattern;
use super::forbidding::is_reported;
use super::foreign;
use super::sentence::Sentence;

/// How a language forbids, and what looks like it and does not.
struct Script {
    /// The first and last letter by which it is known.
    letters: &'static [(char, char)],
    limits: &'static Pattern,
    not: &'static Pattern,
}

const SCRIPTS: &[Script] = &[
    // Kana first: Japanese has the signs of Chinese, too.
    Script { letters: &[('ぁ', 'ヿ')], limits: &JAPANESE, not: &NOT_JAPANESE },
    Script { letters: &[('一', '鿿')], limits: &CHINESE, not: &NOT_CHINESE },
    Script { letters: &[('가', '힣')], limits: &KOREAN, not: &NOT_KOREAN },
    Script { letters: &[('ऀ', 'ॿ')], limits: &HINDI, not: &NOT_HINDI },
];

static CHINESE: Pattern = Pattern::new(concat!(
    "不要|千万别|严禁|请勿|切勿|不准|不许",
    // At the head of a clause.
    "|(?:^|，|,|；|：|、| )(?:请|也|并且|并|而且|但是|但|同时|绝对|一定|务必|暂时|先|都)*",
    "(?:别|勿|禁止|不得|不允许(?:添加|修改|更改|改动|删除|新增|引入|提交|推送|碰|动)|只改|只动|(?:只|仅|只能|仅能|只准|只许|只允许)(?:修改|更改|改动|编辑|碰|使用))",
    "|(?:必须|务必|需要|应该|应当|应|要|请).*保持.*(?:不变|原样|原状|现状|兼容)",
    "|先(?:问|询问|请示)(?:一下|过)?我|先(?:征求|征得|经过|得到|获得)我|先(?:跟|和|与)我(?:确认|商量|讨论)",
    // Behind a verb it says "after".
    "|从现在起|(?:^|，|,|；|：|、| )(?:今后|以后|从现在开始)(?:请|务必|一律|必须|(?:都|每次|总是)(?:都)?(?:要|用|请|使用|必须))",
));
static NOT_CHINESE: Pattern = Pattern::new(concat!(
    "要不要|不要紧|不要求|不要钱|是不是不要|不得不|不得而知|不许我|不准我|别(?:的|人|名|处|无|墨|说)",
    "|(?:不要|别)(?:担心|急|怕|介意|着急|紧张|客气|放弃|停)",
    "|(?:只|仅)(?:修改|更改|改动|编辑|碰|使用|改|动)了",
    "|先(?:问|询问|请示)(?:一下|过)?我(?:们)?的|(?:不变|原样|原状|现状|兼容)(?:的|性)|请求[^,; \\xef]*保持",
    "|坏了|失效|修改时间|(?:禁止|不允许)[^,; \\xef]*时|(?:提示|显示)(?:错误|不对|不正常)",
    "|的(?:bug|问题|缺陷|报错)(?: |$)",
    // In one clause; wide marks begin with this byte.
    "|(?:如果|要是|假如|为什么|为何|为啥|怎么)[^,; \\xef]*(?:不要|禁止|不允许|请勿|切勿|严禁)",
    "|(?:提示|报错|显示|写着)(?:：|:)?[^,; \\xef]*(?:不要|禁止|不允许|请勿|切勿|严禁)",
));

static JAPANESE: Pattern = Pattern::new(concat!(
    "ないで(?:ください|下さい)|てはいけ|てはなら|(?:ては|ちゃ)(?:だめ|ダメ|駄目)|今後は",
    "|ないで(?:ほしい|欲しい|くれ|もらえ|いただ|お願い|おいて).*$|ないで(?:ね|よ)?$|ない方針で(?:お願いします)?$",
    // What is done to the work, not what somebody may do in a program.
    "|(?:変更|修正|追加|削除|編集|コミット|プッシュ|push|commit|マージ)(?:は|も)禁止(?:です|で|とする|とします|でお願いします)?$",
    "|だけ(?:を|は)?.*(?:変更し|修正し|編集し|使用し|直し|触っ|変え|いじっ|使っ)(?:て|てください|て下さい|てね)$",
    "|だけ(?:を|は)?.*(?:変更|修正|編集|使用)(?:すること|のこと)$",
    "|(?:触ら|変え|変更し|追加し|使わ|消さ|削除し|いじら|編集し|修正し|増やさ|コミットし|プッシュし|pushし|commitし|マージし|壊さ|使用し|書き換え)",
    "ない(?:こと|ように(?:して(?:ください|下さい|ね|くれ)?|お願いします|すること)?)$",
    "|前に.*(?:私|僕|俺)に.*(?:確認し|聞い|相談し|許可を取っ|許可を得)(?:て|てください|て下さい)$",
    "|そのまま(?:に|で|の形で)?(?:してください|して|しておいてください|しておいて|残してください|残して|維持してください|維持して|維持すること|お願いします)$",
    "|(?:変えず|変更せず|触らず|いじらず|壊さず)に?.*(?:て|てください|て下さい|こと)$",
));
static NOT_JAPANESE: Pattern = Pattern::new(concat!(
    "(?:心配|気に|遠慮|焦|慌て).*ないで|てはいけませんか|てはいけないか|てはならないか|なくては(?:いけ|なら)|が(?:.)*禁止|ても.*ないこと",
    "|(?:でき|わから|分から|知ら|足り)ないこと|がないで|がなくて|が出ないで(?:ほし|欲し|くれ|ね|よ)?",
));

static KOREAN: Pattern = Pattern::new(concat!(
    "하지 ?마(?: |$|세|라|요|십|시)|지 (?:는 |도 )?마(?:세요|라|요|십시오|시오|시고)?(?: |$|,)|지 말아|지 말 ?것|앞으로는",
    // Said of one thing, while something else is done to another.
    "|(?:은|는|도) (?:\\S+ )?\\S*(?:하|드리|올리|돌리|쓰|넣|꾸|고치|지우|들|보내|두|옮기)지 말고",
    "|(?:^| )(?:새|새로운|추가) \\S+ (?:\\S+ )?금지(?:입니다|야|예요|이에요|해|함|할 것|하세요|요)?$",
    "|(?:[a-z0-9_./]|파일|폴더|디렉터리|디렉토리|함수|모듈)만 (?:\\S+ ){0,2}(?:수정|변경|편집|사용)(?:해|하세요|해줘|해 줘|해주세요|해 주세요|할 것|하자|해라|해야 해|해야 합니다)$",
    "|(?:[a-z0-9_./]|파일|폴더|디렉터리|디렉토리|함수|모듈)만 (?:\\S+ ){0,2}(?:고쳐|바꿔|건드려|써)(?:줘| 줘|주세요| 주세요|요|야 해)?$",
    "|그대로 (?:유지해|유지해줘|유지해 줘|유지해 주세요|유지해주세요|유지하세요|유지해야 해|유지해야 합니다|유지할 것|둬|둬요|두세요|놔둬|놔두세요|남겨둬)$",
    "|전에 (?:\\S+ ){0,2}(?:물어|확인받|허락|승인|여쭤|상의)\\S*(?: ?(?:줘|주세요|봐|받아))?$",
    "|(?:건드리|수정하|변경하|추가하|바꾸|사용하|쓰|지우|삭제하|푸시하|커밋하)지 (?:않도록|않게) (?:해|하)\\S*(?: \\S+)?$",
));
static NOT_KOREAN: Pattern = Pattern::new(concat!(
    "\\S(?:이|가) (?:\\S+ )?\\S*지 않(?:도록|게)|말지|말라고|말라는|말래|(?:걱정|신경|미안|부담|무리)\\S*(?: \\S+지)? ?(?:마|말)|(?:이|가) 금지|(?:메시지|알림|오류) (?:\\S+ )?금지",
    "|(?:이미지|메시지|패키지|페이지|브리지) (?:마|말)",
));

static HINDI: Pattern = Pattern::new(concat!(
    " मत (?:बदल|छू|छु|छेड़|हटा|मिटा|जोड़|कर|लिख|बना|डाल|तोड़)\\S*(?:ो|ना|ें|िए|िएगा|ओ|इए|एं)$|(?:ो|ना) मत$",
    "| (?:न|ना|नहीं) (?:करें|करना|बदलें|बदलना|छुएं|जोड़ें|जोड़ना|हटाएं|हटाना)$",
    "|(?:^| )(?:केवल|सिर्फ|सिर्फ़) .*(?:फाइल|फ़ाइल|फोल्डर|[a-z0-9_]/).*(?:बदलो|बदलें|बदलिए|छुओ|छुएं)$",
    "|(?:वैसा|वैसी|वैसे|जैसा|जैसी) ही (?:रहना|रहनी|रहने|रखो|रखें|रखना)",
    "|पहले (?:मुझसे |मुझ से |हमेशा )*(?:पूछो|पूछें|पूछना|पूछिए|पूछ लो|पूछ लेना)$",
    "|(?:^| )कोई (?:नई|नया|नए|नयी|अतिरिक्त) \\S+(?: \\S+)? नहीं$",
    "|(?:बदलना|छूना|जोड़ना) (?:मना|वर्जित|निषिद्ध) है$",
));
static NOT_HINDI: Pattern = Pattern::new(
    "काम (?:न|ना|नहीं)|(?:चिंता|फ़िक्र|फिक्र|परवाह) मत|(?:मेरा|उनका|आपका|हमारा) मत|(?:अगर|यदि|जब|क्यों) |त्रुटि|समस्या|गलती|संदेश|मैसेज|error|bug",
);

static TURKISH: Pattern = Pattern::new(concat!(
    "\\S(?:meyin|mayın|meyiniz|mayınız|meyelim|mayalım)$",
    "|(?:^| )(?:lütfen|asla|sakın|kesinlikle|hiçbir zaman|bir daha) .*\\S(?:me|ma)$",
    "|(?:^| )(?:dokunma|bozma)$",
    "|(?:değiş|bozul)(?:memeli|mamalı)(?:dir|dır)?$",
    "|(?:aynı|olduğu gibi|değişmeden|bozulmadan) (?:kalmalı|kalsın|kalacak|bırak|bırakın)$",
    "|^(?:sadece|yalnızca|yalnız) .*(?:dosya|klasör|dizin|[a-z0-9_]/).*(?:değiştir|düzenle)(?:in|ın|un|ün)?$",
    "|(?:mek|mak) yasak(?:tır)?$|(?:önce|önceden)(?: \\S+){0,3} sor(?:un|unuz)?$",
    "|(?:değiştirmeden|bozmadan|dokunmadan|eklemeden|silmeden|kullanmadan)(?: \\S+){0,4} (?:düzelt|yap|çöz|değiştir)$",
));
static NOT_TURKISH: Pattern = Pattern::new(
    "(?:merak et|endişelen|üzül|unut|anla|bekle)(?:me|ma|meyin|mayın)$|(?:değilse|neden|niye|niçin) ",
);

/// Tells whether a sentence forbids something.
pub(super) fn limits(sentence: &Sentence) -> bool {
    // Nearly every sentence is of these.
    if sentence.text.is_ascii() && !may_be_turkish(sentence) {
        return false;
    }
    let bare = foreign::bare(sentence);
    let bare = bare.trim_end();
    let has = |letters: &(char, char)| bare.contains(|c| (letters.0..=letters.1).contains(&c));
    let script = if bare.is_ascii() {
        None
    } else {
        SCRIPTS.iter().find(|script| script.letters.iter().any(has))
    };
    match script {
        Some(script) => script.limits.is_match(bare) && !script.not.is_match(bare),
        None => may_be_turkish(sentence) && TURKISH.is_match(bare) && !NOT_TURKISH.is_match(bare),
    }
}

fn may_be_turkish(sentence: &Sentence) -> bool {
    sentence.words.len() > 1 && foreign::may_be(sentence) && !is_reported(sentence)
}
