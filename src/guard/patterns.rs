//! What instructions look like that somebody hid in a text: one row a kind.
//!
//! The kinds are those that scanners of memories and prompts look for. How grave each is follows
//! from how often honest work says the same: people who build programs with models talk of
//! prompts, keys and settings all day.

use super::Severity::{self, Block, Quarantine, Warn};

/// One kind of hidden instruction.
pub(super) struct Pattern {
    /// Its name.
    pub(super) id: &'static str,
    /// How grave it is.
    pub(super) severity: Severity,
    /// A text without one of these words is no such instruction.
    pub(super) words: &'static [&'static str],
    /// Compared with the text as `fold` gives it; letters of either case are the same, `^^`
    /// stands for up to eight words, `@@` for a file that a harness reads at its start.
    pub(super) pattern: &'static str,
}

const fn row(
    id: &'static str,
    severity: Severity,
    words: &'static [&'static str],
    pattern: &'static str,
) -> Pattern {
    Pattern { id, severity, words, pattern }
}

/// All kinds; the gravest first.
pub(super) const PATTERNS: &[Pattern] = &[
    row(
        "prompt_injection",
        Block,
        &["instruction", "prompts"],
        r"\b(?:ignore|forget|override|bypass)\s+(?:all\s+|any\s+|everything\s+)?(?:of\s+)?(?:the\s+|your\s+|my\s+)?(?:previous|prior|above|preceding|earlier|foregoing)\s+^^(?:instructions|prompts)\b",
    ),
    row(
        "disregard_rules",
        Block,
        &["disregard"],
        r"\bdisregard\s+(?:all\s+|any\s+)?(?:of\s+)?(?:the\s+|your\s+|these\s+)?(?:previous\s+|prior\s+|above\s+|system\s+|safety\s+)?(?:instructions|rules|guidelines|prompts)\b",
    ),
    row("sys_prompt_override", Block, &["override"], r"\bsystem\s+prompt\s+override\b"),
    row(
        "bypass_restrictions",
        Block,
        &["act"],
        r"\bact\s+as\s+(?:if|though)\s+^^you\s+^^(?:have\s+no|don't\s+have)\s+^^(?:restrictions|limits|rules)\b",
    ),
    row(
        "deception_hide",
        Block,
        &["the user", "the human"],
        r"\b(?:do\s+not|don't|never)\s+(?:tell|inform|alert|reveal\s+^^to|mention\s+^^to)\s+the\s+(?:user|human)\b",
    ),
    row(
        "comment_injection",
        Quarantine,
        &["<!--"],
        r"<!--[^>]{0,512}\b(?:ignore\s+(?:all|any|previous|prior|the\s+above)|(?:hidden|secret|system)\s+(?:prompt|instructions?)|(?:assistant|agent|model|ai)s?\s+must)\b[^>]{0,512}-->",
    ),
    row(
        "translate_execute",
        Quarantine,
        &["translate"],
        r"\btranslate\s+[^\n]{0,256}\sinto\s+[^\n]{0,256}\sand\s+(?:execute|run|eval)\b",
    ),
    row(
        "remove_filters",
        Quarantine,
        &["without"],
        r"\b(?:respond|answer|reply)\s+without\s+^^(?:restrictions|limitations|filters|safety)\b",
    ),
    row(
        "reveal_prompt",
        Quarantine,
        &["prompt"],
        r"\b(?:output|print|reveal|repeat|recite)\s+(?:all\s+of\s+)?your\s+^^(?:system|initial|hidden)\s+(?:prompt|instructions)\b",
    ),
    row(
        "send_secrets",
        Quarantine,
        &["http://", "https://"],
        r"\b(?:send|post|upload|transmit|forward|exfiltrate)\s+(?:\w+\s+){0,4}(?:conversation|transcript|chat\s+history|credentials?|api\s+keys?|secrets|passwords?|private\s+keys?|environment\s+variables|\.env)\b[^\n]{0,200}?\s(?:to|at)\s+\S{0,2}https?://",
    ),
    row(
        "ssh_backdoor",
        Quarantine,
        &["authorized_keys"],
        r"(?:>>?|\btee\s+(?:-a\s+)?|\b(?:append|add|write)\s+[^\n]{0,200}\bto\s+)[^\n]{0,60}authorized_keys",
    ),
    row(
        "forced_report",
        Quarantine,
        &["beacon", "c2 "],
        r"\byou\s+must\s+(?:\w+\s+){0,3}beacon\b|\bbeacon\s+(?:back\s+)?to\s+(?:the\s+)?(?:c2|server|https?:)|\bconnect\s+to\s+(?:the\s+|our\s+)?c2\b",
    ),
    row(
        "send_key",
        Warn,
        &["curl", "wget"],
        r"\b(?:curl|wget)\s+[^\n]{0,1024}\$\{?\w*(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL)",
    ),
    row(
        "read_secrets",
        Warn,
        &[".env", "credentials", ".netrc", ".pgpass", ".npmrc", ".pypirc"],
        r"\bcat\s+[^\n|;]{0,200}(?:\.env\b|/credentials\b|\.netrc|\.pgpass|\.npmrc|\.pypirc)",
    ),
    row("role_hijack", Warn, &["you are"], r"\byou\s+are\s+now\s+(?:a|an|the)\s+\w"),
    row(
        "role_pretend",
        Warn,
        &["pretend"],
        r"\bpretend\s+(?:that\s+)?(?:you\s+are|you're|to\s+be)\s",
    ),
    row(
        "fake_update",
        Warn,
        &["you have been"],
        r"\byou\s+have\s+been\s+^^(?:updated|upgraded|patched)\s+to\b",
    ),
    row("identity_override", Warn, &["name yourself"], r"\bname\s+yourself\s+\w+"),
    row(
        "share_context",
        Warn,
        &["context", "conversation", "chat history"],
        r"\b(?:output|print|share|leak)\s+(?:the\s+|your\s+)?(?:entire|full|whole)\s+(?:conversation|context|chat\s+history)\b",
    ),
    row(
        "hidden_element",
        Warn,
        &["display"],
        r#"<\s*(?:div|span|p)\s[^>]{0,200}style\s*=\s*\\?["'][^>"']{0,200}(?:display\s*:\s*none|font-size\s*:\s*0)[^>]{0,200}>[^<]{0,400}\b(?:ignore|instructions?|you\s+must|prompt)\b"#,
    ),
    row(
        "remote_control",
        Warn,
        &["c2 ", "command and control", "cobalt", "metasploit", "tasking", "as a node"],
        r"\bc2\s+(?:server|channel|infrastructure|beacon)\b|\bcommand\s+and\s+control\s+(?:server|channel)\b|\b(?:cobalt\s*strike|metasploit)\b|\bpull\s+(?:down\s+)?(?:new\s+)?tasking\b|\bregister\s+as\s+a\s+node\b",
    ),
    row(
        "unset_agent",
        Warn,
        &["unset"],
        r"\bunset\s+\w*(?:AGENT|ANTHROPIC|OPENAI|GEMINI|CLAUDE|CODEX)\w*",
    ),
    row(
        "ssh_access",
        Warn,
        &["/.ssh"],
        r"(?:\$HOME|~|/root|/home/\w+)/\.ssh/(?:id_|authorized_keys|config)",
    ),
    row(
        "agent_config_mod",
        Warn,
        &[".md", "rules"],
        r"\b(?:update|modify|edit|overwrite|append\s+to|add\s+to)\s+[^\n]{0,60}(?:\b@@|\.(?:cursor|cline|windsurf)rules)",
    ),
    row(
        "model_token",
        Warn,
        &["<|", "[INST]", "<<SYS>>"],
        r"<\|(?:im_start|im_end|endoftext|start_header_id|end_header_id|eot_id|system|user|assistant)\|>|\[/?INST\]|<</?SYS>>",
    ),
];
