# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_segue_global_optspecs
    string join \n v/verbose q/quiet strict h/help V/version
end

function __fish_segue_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_segue_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_segue_using_subcommand
    set -l cmd (__fish_segue_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c segue -n "__fish_segue_needs_command" -s v -l verbose -d 'Show every note, not only one line a kind'
complete -c segue -n "__fish_segue_needs_command" -s q -l quiet -d 'Say nothing on standard error but errors'
complete -c segue -n "__fish_segue_needs_command" -l strict -d 'Fail with exit code 5 if anything had to be left out'
complete -c segue -n "__fish_segue_needs_command" -s h -l help -d 'Print help'
complete -c segue -n "__fish_segue_needs_command" -s V -l version -d 'Print version'
complete -c segue -n "__fish_segue_needs_command" -f -a "list" -d 'Show the sessions of this project, newest first'
complete -c segue -n "__fish_segue_needs_command" -f -a "pack" -d 'Print what the next session needs, within a budget of tokens'
complete -c segue -n "__fish_segue_needs_command" -f -a "sync" -d 'Keep a pack as a block of the files that harnesses read at their start'
complete -c segue -n "__fish_segue_needs_command" -f -a "show" -d 'Print what an id of a pack stands for'
complete -c segue -n "__fish_segue_needs_command" -f -a "status" -d 'Say whether the work of a session is done'
complete -c segue -n "__fish_segue_needs_command" -f -a "frame" -d 'Print the last turn as a frame of state, in JSON'
complete -c segue -n "__fish_segue_needs_command" -f -a "search" -d 'Print the items of a session that hold some words, newest first'
complete -c segue -n "__fish_segue_needs_command" -f -a "span" -d 'Print lines of a file of the project as it is now'
complete -c segue -n "__fish_segue_needs_command" -f -a "diff" -d 'Say what is new, resolved and changed between two packs'
complete -c segue -n "__fish_segue_needs_command" -f -a "export" -d 'Print a session in one schema, whatever harness wrote it'
complete -c segue -n "__fish_segue_needs_command" -f -a "convert" -d 'Write a session as another harness\'s own, which its program resumes'
complete -c segue -n "__fish_segue_needs_command" -f -a "check" -d 'Look for what would stop a session file from being listed, loaded, or accepted'
complete -c segue -n "__fish_segue_needs_command" -f -a "templates" -d 'List what a pack can be made for, or print a built-in template'
complete -c segue -n "__fish_segue_needs_command" -f -a "schema" -d 'Print a JSON Schema'
complete -c segue -n "__fish_segue_needs_command" -f -a "completions" -d 'Print completions for a shell'
complete -c segue -n "__fish_segue_needs_command" -f -a "man" -d 'Print the manual page'
complete -c segue -n "__fish_segue_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c segue -n "__fish_segue_using_subcommand list" -l harness -d 'Only sessions of this harness' -r -f -a "claude\t''
codex\t''
gemini\t''"
complete -c segue -n "__fish_segue_using_subcommand list" -l project -d 'The folder of the project, in place of the project around the current directory' -r
complete -c segue -n "__fish_segue_using_subcommand list" -l since -d 'Only sessions that ended since then: 30m, 12h, 7d, 2w or a date such as 2026-01-02' -r
complete -c segue -n "__fish_segue_using_subcommand list" -l limit -d 'Show at most this many, 0 for all [default: 20; with --json all]' -r
complete -c segue -n "__fish_segue_using_subcommand list" -l all -d 'Show the sessions of all projects'
complete -c segue -n "__fish_segue_using_subcommand list" -l json -d 'Print one JSON object a line'
complete -c segue -n "__fish_segue_using_subcommand list" -s v -l verbose -d 'Show every note, not only one line a kind'
complete -c segue -n "__fish_segue_using_subcommand list" -s q -l quiet -d 'Say nothing on standard error but errors'
complete -c segue -n "__fish_segue_using_subcommand list" -l strict -d 'Fail with exit code 5 if anything had to be left out'
complete -c segue -n "__fish_segue_using_subcommand list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c segue -n "__fish_segue_using_subcommand pack" -l harness -d 'Only sessions of this harness' -r -f -a "claude\t''
codex\t''
gemini\t''"
complete -c segue -n "__fish_segue_using_subcommand pack" -l project -d 'The folder of the project, in place of the project around the current directory' -r
complete -c segue -n "__fish_segue_using_subcommand pack" -l sessions -d 'Pack this many of the project\'s newest sessions together, of whatever harness' -r
complete -c segue -n "__fish_segue_using_subcommand pack" -l since -d 'Pack the sessions that ended since then: 30m, 12h, 7d, 2w or a date such as 2026-01-02' -r
complete -c segue -n "__fish_segue_using_subcommand pack" -l hint -d 'Take the session that has these words in its title, folder or requests' -r
complete -c segue -n "__fish_segue_using_subcommand pack" -l budget -d 'The most tokens that the pack may cost' -r
complete -c segue -n "__fish_segue_using_subcommand pack" -l max-chars -d 'The most characters that the pack may have, one beyond U+FFFF (an emoji) counted as two' -r
complete -c segue -n "__fish_segue_using_subcommand pack" -l count-as -d 'Count tokens of this encoding or model' -r
complete -c segue -n "__fish_segue_using_subcommand pack" -l for -d 'Make it for this target: a token counts more where its models count more' -r -f -a "plain\t''
claude\t''
codex\t''
gemini\t''"
complete -c segue -n "__fish_segue_using_subcommand pack" -l template -d 'Render through this template, in place of the built-in one' -r
complete -c segue -n "__fish_segue_using_subcommand pack" -l as-of -d 'The day from which ages count [default: today, UTC]' -r
complete -c segue -n "__fish_segue_using_subcommand pack" -l until -d 'The session as it was at the end of a turn (T-2), at an item by its id, at a time or a day' -r
complete -c segue -n "__fish_segue_using_subcommand pack" -l focus -d 'Raise what is near these words of the next task' -r
complete -c segue -n "__fish_segue_using_subcommand pack" -l weights -d 'Weigh things as this JSON file says; what it leaves out keeps its weight' -r
complete -c segue -n "__fish_segue_using_subcommand pack" -l allow -d 'Show what looks like this kind of hidden instruction, in place of only pointing at it' -r -f -a "prompt_injection\t''
disregard_rules\t''
sys_prompt_override\t''
bypass_restrictions\t''
deception_hide\t''
comment_injection\t''
translate_execute\t''
remove_filters\t''
reveal_prompt\t''
send_secrets\t''
ssh_backdoor\t''
forced_report\t''
send_key\t''
read_secrets\t''
role_hijack\t''
role_pretend\t''
fake_update\t''
identity_override\t''
share_context\t''
hidden_element\t''
remote_control\t''
unset_agent\t''
ssh_access\t''
agent_config_mod\t''
model_token\t''
hidden_tags\t''
hidden_bytes\t''
reversed_text\t''
hidden_mark\t''
host_tag\t''"
complete -c segue -n "__fish_segue_using_subcommand pack" -l known-hash -d 'Print only `unchanged`, and write no file, if the pack has this hash or one that begins so' -r
complete -c segue -n "__fish_segue_using_subcommand pack" -l out -d 'Write to a file, whole or not at all' -r
complete -c segue -n "__fish_segue_using_subcommand pack" -l no-check -d 'Do not look at the files of the project, nor ask git, for what changed since the session'
complete -c segue -n "__fish_segue_using_subcommand pack" -l no-redact -d 'Leave keys, tokens and passwords in'
complete -c segue -n "__fish_segue_using_subcommand pack" -l json -d 'Print what the template gets, as JSON'
complete -c segue -n "__fish_segue_using_subcommand pack" -l explain -d 'Print why each thing is in the pack or not, in place of the pack'
complete -c segue -n "__fish_segue_using_subcommand pack" -l demo -d 'Use a session that is built into the program'
complete -c segue -n "__fish_segue_using_subcommand pack" -s v -l verbose -d 'Show every note, not only one line a kind'
complete -c segue -n "__fish_segue_using_subcommand pack" -s q -l quiet -d 'Say nothing on standard error but errors'
complete -c segue -n "__fish_segue_using_subcommand pack" -l strict -d 'Fail with exit code 5 if anything had to be left out'
complete -c segue -n "__fish_segue_using_subcommand pack" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c segue -n "__fish_segue_using_subcommand sync" -l session -d 'The session: a file, an id or the start of one, HARNESS:ID, or `latest`' -r
complete -c segue -n "__fish_segue_using_subcommand sync" -l harness -d 'Only sessions of this harness' -r -f -a "claude\t''
codex\t''
gemini\t''"
complete -c segue -n "__fish_segue_using_subcommand sync" -l project -d 'The folder of the project, in place of the project around the current directory' -r
complete -c segue -n "__fish_segue_using_subcommand sync" -l sessions -d 'Pack this many of the project\'s newest sessions together, of whatever harness' -r
complete -c segue -n "__fish_segue_using_subcommand sync" -l since -d 'Pack the sessions that ended since then: 30m, 12h, 7d, 2w or a date such as 2026-01-02' -r
complete -c segue -n "__fish_segue_using_subcommand sync" -l hint -d 'Take the session that has these words in its title, folder or requests' -r
complete -c segue -n "__fish_segue_using_subcommand sync" -l budget -d 'The most tokens that the pack may cost' -r
complete -c segue -n "__fish_segue_using_subcommand sync" -l max-chars -d 'The most characters that the pack may have, one beyond U+FFFF (an emoji) counted as two' -r
complete -c segue -n "__fish_segue_using_subcommand sync" -l count-as -d 'Count tokens of this encoding or model' -r
complete -c segue -n "__fish_segue_using_subcommand sync" -l for -d 'Make it for this target: a token counts more where its models count more' -r -f -a "plain\t''
claude\t''
codex\t''
gemini\t''"
complete -c segue -n "__fish_segue_using_subcommand sync" -l template -d 'Render through this template, in place of the built-in one' -r
complete -c segue -n "__fish_segue_using_subcommand sync" -l as-of -d 'The day from which ages count [default: today, UTC]' -r
complete -c segue -n "__fish_segue_using_subcommand sync" -l until -d 'The session as it was at the end of a turn (T-2), at an item by its id, at a time or a day' -r
complete -c segue -n "__fish_segue_using_subcommand sync" -l focus -d 'Raise what is near these words of the next task' -r
complete -c segue -n "__fish_segue_using_subcommand sync" -l weights -d 'Weigh things as this JSON file says; what it leaves out keeps its weight' -r
complete -c segue -n "__fish_segue_using_subcommand sync" -l allow -d 'Show what looks like this kind of hidden instruction, in place of only pointing at it' -r -f -a "prompt_injection\t''
disregard_rules\t''
sys_prompt_override\t''
bypass_restrictions\t''
deception_hide\t''
comment_injection\t''
translate_execute\t''
remove_filters\t''
reveal_prompt\t''
send_secrets\t''
ssh_backdoor\t''
forced_report\t''
send_key\t''
read_secrets\t''
role_hijack\t''
role_pretend\t''
fake_update\t''
identity_override\t''
share_context\t''
hidden_element\t''
remote_control\t''
unset_agent\t''
ssh_access\t''
agent_config_mod\t''
model_token\t''
hidden_tags\t''
hidden_bytes\t''
reversed_text\t''
hidden_mark\t''
host_tag\t''"
complete -c segue -n "__fish_segue_using_subcommand sync" -l no-check -d 'Do not look at the files of the project, nor ask git, for what changed since the session'
complete -c segue -n "__fish_segue_using_subcommand sync" -l no-redact -d 'Leave keys, tokens and passwords in'
complete -c segue -n "__fish_segue_using_subcommand sync" -l check -d 'Write nothing; exit code 1 if a block is out of date or missing'
complete -c segue -n "__fish_segue_using_subcommand sync" -l remove -d 'Take the block out'
complete -c segue -n "__fish_segue_using_subcommand sync" -s v -l verbose -d 'Show every note, not only one line a kind'
complete -c segue -n "__fish_segue_using_subcommand sync" -s q -l quiet -d 'Say nothing on standard error but errors'
complete -c segue -n "__fish_segue_using_subcommand sync" -l strict -d 'Fail with exit code 5 if anything had to be left out'
complete -c segue -n "__fish_segue_using_subcommand sync" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c segue -n "__fish_segue_using_subcommand show" -l session -d 'A file, `-` for standard input, an id or the start of one, HARNESS:ID, or `latest`' -r
complete -c segue -n "__fish_segue_using_subcommand show" -l harness -d 'Only sessions of this harness' -r -f -a "claude\t''
codex\t''
gemini\t''"
complete -c segue -n "__fish_segue_using_subcommand show" -l project -d 'The folder of the project, in place of the project around the current directory' -r
complete -c segue -n "__fish_segue_using_subcommand show" -l level -d 'How much of a turn to print' -r -f -a "raw\t'Every item as it was'
smooth\t'Without escapes, repeated output and the harness\'s own words; long outputs by head and tail'
compact\t'The request, each call on a line with how it ended, the agent\'s last words'
tiny\t'One line'"
complete -c segue -n "__fish_segue_using_subcommand show" -l demo -d 'Use a session that is built into the program'
complete -c segue -n "__fish_segue_using_subcommand show" -l no-redact -d 'Leave keys, tokens and passwords in'
complete -c segue -n "__fish_segue_using_subcommand show" -s v -l verbose -d 'Show every note, not only one line a kind'
complete -c segue -n "__fish_segue_using_subcommand show" -s q -l quiet -d 'Say nothing on standard error but errors'
complete -c segue -n "__fish_segue_using_subcommand show" -l strict -d 'Fail with exit code 5 if anything had to be left out'
complete -c segue -n "__fish_segue_using_subcommand show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c segue -n "__fish_segue_using_subcommand status" -l harness -d 'Only sessions of this harness' -r -f -a "claude\t''
codex\t''
gemini\t''"
complete -c segue -n "__fish_segue_using_subcommand status" -l project -d 'The folder of the project, in place of the project around the current directory' -r
complete -c segue -n "__fish_segue_using_subcommand status" -l allow -d 'Show what looks like this kind of hidden instruction, in place of only pointing at it' -r -f -a "prompt_injection\t''
disregard_rules\t''
sys_prompt_override\t''
bypass_restrictions\t''
deception_hide\t''
comment_injection\t''
translate_execute\t''
remove_filters\t''
reveal_prompt\t''
send_secrets\t''
ssh_backdoor\t''
forced_report\t''
send_key\t''
read_secrets\t''
role_hijack\t''
role_pretend\t''
fake_update\t''
identity_override\t''
share_context\t''
hidden_element\t''
remote_control\t''
unset_agent\t''
ssh_access\t''
agent_config_mod\t''
model_token\t''
hidden_tags\t''
hidden_bytes\t''
reversed_text\t''
hidden_mark\t''
host_tag\t''"
complete -c segue -n "__fish_segue_using_subcommand status" -l no-redact -d 'Leave keys, tokens and passwords in'
complete -c segue -n "__fish_segue_using_subcommand status" -l json -d 'Print the answer as JSON'
complete -c segue -n "__fish_segue_using_subcommand status" -s v -l verbose -d 'Show every note, not only one line a kind'
complete -c segue -n "__fish_segue_using_subcommand status" -s q -l quiet -d 'Say nothing on standard error but errors'
complete -c segue -n "__fish_segue_using_subcommand status" -l strict -d 'Fail with exit code 5 if anything had to be left out'
complete -c segue -n "__fish_segue_using_subcommand status" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c segue -n "__fish_segue_using_subcommand frame" -l harness -d 'Only sessions of this harness' -r -f -a "claude\t''
codex\t''
gemini\t''"
complete -c segue -n "__fish_segue_using_subcommand frame" -l project -d 'The folder of the project, in place of the project around the current directory' -r
complete -c segue -n "__fish_segue_using_subcommand frame" -l allow -d 'Show what looks like this kind of hidden instruction, in place of only pointing at it' -r -f -a "prompt_injection\t''
disregard_rules\t''
sys_prompt_override\t''
bypass_restrictions\t''
deception_hide\t''
comment_injection\t''
translate_execute\t''
remove_filters\t''
reveal_prompt\t''
send_secrets\t''
ssh_backdoor\t''
forced_report\t''
send_key\t''
read_secrets\t''
role_hijack\t''
role_pretend\t''
fake_update\t''
identity_override\t''
share_context\t''
hidden_element\t''
remote_control\t''
unset_agent\t''
ssh_access\t''
agent_config_mod\t''
model_token\t''
hidden_tags\t''
hidden_bytes\t''
reversed_text\t''
hidden_mark\t''
host_tag\t''"
complete -c segue -n "__fish_segue_using_subcommand frame" -l no-redact -d 'Leave keys, tokens and passwords in'
complete -c segue -n "__fish_segue_using_subcommand frame" -s v -l verbose -d 'Show every note, not only one line a kind'
complete -c segue -n "__fish_segue_using_subcommand frame" -s q -l quiet -d 'Say nothing on standard error but errors'
complete -c segue -n "__fish_segue_using_subcommand frame" -l strict -d 'Fail with exit code 5 if anything had to be left out'
complete -c segue -n "__fish_segue_using_subcommand frame" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c segue -n "__fish_segue_using_subcommand search" -l session -d 'A file, `-` for standard input, an id or the start of one, HARNESS:ID, or `latest`' -r
complete -c segue -n "__fish_segue_using_subcommand search" -l harness -d 'Only sessions of this harness' -r -f -a "claude\t''
codex\t''
gemini\t''"
complete -c segue -n "__fish_segue_using_subcommand search" -l project -d 'The folder of the project, in place of the project around the current directory' -r
complete -c segue -n "__fish_segue_using_subcommand search" -l limit -d 'Show at most this many, 0 for all' -r
complete -c segue -n "__fish_segue_using_subcommand search" -l demo -d 'Use a session that is built into the program'
complete -c segue -n "__fish_segue_using_subcommand search" -l whole-words -d 'Only whole words: `art` is not in `start`'
complete -c segue -n "__fish_segue_using_subcommand search" -l all-items -d 'Search what does not count, too: reasoning, side sessions, branches that were left'
complete -c segue -n "__fish_segue_using_subcommand search" -l no-redact -d 'Leave keys, tokens and passwords in'
complete -c segue -n "__fish_segue_using_subcommand search" -s v -l verbose -d 'Show every note, not only one line a kind'
complete -c segue -n "__fish_segue_using_subcommand search" -s q -l quiet -d 'Say nothing on standard error but errors'
complete -c segue -n "__fish_segue_using_subcommand search" -l strict -d 'Fail with exit code 5 if anything had to be left out'
complete -c segue -n "__fish_segue_using_subcommand search" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c segue -n "__fish_segue_using_subcommand span" -l session -d 'A file, `-` for standard input, an id or the start of one, HARNESS:ID, or `latest`' -r
complete -c segue -n "__fish_segue_using_subcommand span" -l harness -d 'Only sessions of this harness' -r -f -a "claude\t''
codex\t''
gemini\t''"
complete -c segue -n "__fish_segue_using_subcommand span" -l project -d 'The folder of the project, in place of the project around the current directory' -r
complete -c segue -n "__fish_segue_using_subcommand span" -l demo -d 'Use a session that is built into the program'
complete -c segue -n "__fish_segue_using_subcommand span" -l no-redact -d 'Leave keys, tokens and passwords in'
complete -c segue -n "__fish_segue_using_subcommand span" -s v -l verbose -d 'Show every note, not only one line a kind'
complete -c segue -n "__fish_segue_using_subcommand span" -s q -l quiet -d 'Say nothing on standard error but errors'
complete -c segue -n "__fish_segue_using_subcommand span" -l strict -d 'Fail with exit code 5 if anything had to be left out'
complete -c segue -n "__fish_segue_using_subcommand span" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c segue -n "__fish_segue_using_subcommand diff" -l from -d 'The older point of the session: a turn (T-2), an item, a time or a day [default: its start]' -r
complete -c segue -n "__fish_segue_using_subcommand diff" -l to -d 'The newer point [default: its end]' -r
complete -c segue -n "__fish_segue_using_subcommand diff" -l harness -d 'Only sessions of this harness' -r -f -a "claude\t''
codex\t''
gemini\t''"
complete -c segue -n "__fish_segue_using_subcommand diff" -l project -d 'The folder of the project, in place of the project around the current directory' -r
complete -c segue -n "__fish_segue_using_subcommand diff" -l json -d 'Print one JSON document'
complete -c segue -n "__fish_segue_using_subcommand diff" -s v -l verbose -d 'Show every note, not only one line a kind'
complete -c segue -n "__fish_segue_using_subcommand diff" -s q -l quiet -d 'Say nothing on standard error but errors'
complete -c segue -n "__fish_segue_using_subcommand diff" -l strict -d 'Fail with exit code 5 if anything had to be left out'
complete -c segue -n "__fish_segue_using_subcommand diff" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c segue -n "__fish_segue_using_subcommand export" -l harness -d 'Only sessions of this harness' -r -f -a "claude\t''
codex\t''
gemini\t''"
complete -c segue -n "__fish_segue_using_subcommand export" -l project -d 'The folder of the project, in place of the project around the current directory' -r
complete -c segue -n "__fish_segue_using_subcommand export" -l view -d 'What to show of a session that was compacted, branched or rolled back' -r -f -a "live\t'What the harness would send to its model on resume'
full\t'Everything; what is not live says why'"
complete -c segue -n "__fish_segue_using_subcommand export" -l to -d 'The form of the output' -r -f -a "ndjson\t'One record a line, written as it is read'
json\t'One document: session, messages, compactions by the index of their message'
trajectory\t'The flat list of the trajectory schema, version 1: what was said, asked and answered'
atif\t'One ATIF document: steps, side sessions inside, images in files beside `--out`'
markdown\t'A transcript for people: calls folded into a line, what is live and what is not told apart'"
complete -c segue -n "__fish_segue_using_subcommand export" -l out -d 'Write to FILE, which appears whole or not at all; `-` is standard output' -r
complete -c segue -n "__fish_segue_using_subcommand export" -l out-dir -d 'The folder for `--all`; a file there that is up to date, by content, is left alone' -r
complete -c segue -n "__fish_segue_using_subcommand export" -l atif-version -d 'The schema version that `--to atif` names' -r -f -a "1.7\t''
1.8\t''"
complete -c segue -n "__fish_segue_using_subcommand export" -l raw -d 'Add a `line` record for each line of the source, enough to rebuild it byte for byte'
complete -c segue -n "__fish_segue_using_subcommand export" -l redact -d 'Replace keys, tokens and passwords by tags such as `[REDACTED:jwt:1]`'
complete -c segue -n "__fish_segue_using_subcommand export" -l all -d 'Export every session of all projects, or of the one that `--project` names, into `--out-dir`'
complete -c segue -n "__fish_segue_using_subcommand export" -l blobs -d 'Keep images and other bytes, in base64, not only their digests'
complete -c segue -n "__fish_segue_using_subcommand export" -s v -l verbose -d 'Show every note, not only one line a kind'
complete -c segue -n "__fish_segue_using_subcommand export" -s q -l quiet -d 'Say nothing on standard error but errors'
complete -c segue -n "__fish_segue_using_subcommand export" -l strict -d 'Fail with exit code 5 if anything had to be left out'
complete -c segue -n "__fish_segue_using_subcommand export" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c segue -n "__fish_segue_using_subcommand convert" -l harness -d 'Only sessions of this harness' -r -f -a "claude\t''
codex\t''
gemini\t''"
complete -c segue -n "__fish_segue_using_subcommand convert" -l project -d 'The folder of the project, in place of the project around the current directory' -r
complete -c segue -n "__fish_segue_using_subcommand convert" -l to -d 'The harness that is to resume it' -r -f -a "claude\t''
codex\t''
gemini\t''"
complete -c segue -n "__fish_segue_using_subcommand convert" -l out -d 'Where to write it; left out, standard output' -r
complete -c segue -n "__fish_segue_using_subcommand convert" -l cwd -d 'The folder in which the session is to go on, in place of its own' -r
complete -c segue -n "__fish_segue_using_subcommand convert" -l max-tokens -d 'Fold the oldest turns into a pack until what is sent fits so many tokens of the target' -r
complete -c segue -n "__fish_segue_using_subcommand convert" -l report -d 'Write what was lost, as JSON; `segue schema conversion` describes it' -r
complete -c segue -n "__fish_segue_using_subcommand convert" -l install -d 'Put it where the harness looks for its sessions, and print the command that resumes it'
complete -c segue -n "__fish_segue_using_subcommand convert" -l dry-run -d 'Write nothing: print where it would go and what it would hold'
complete -c segue -n "__fish_segue_using_subcommand convert" -l full-history -d 'Carry all that was ever sent, as if nothing had been compacted'
complete -c segue -n "__fish_segue_using_subcommand convert" -l redact -d 'Replace keys, tokens and passwords by tags such as `[REDACTED:jwt:1]`'
complete -c segue -n "__fish_segue_using_subcommand convert" -s v -l verbose -d 'Show every note, not only one line a kind'
complete -c segue -n "__fish_segue_using_subcommand convert" -s q -l quiet -d 'Say nothing on standard error but errors'
complete -c segue -n "__fish_segue_using_subcommand convert" -l strict -d 'Fail with exit code 5 if anything had to be left out'
complete -c segue -n "__fish_segue_using_subcommand convert" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c segue -n "__fish_segue_using_subcommand check" -l harness -d 'Only sessions of this harness' -r -f -a "claude\t''
codex\t''
gemini\t''"
complete -c segue -n "__fish_segue_using_subcommand check" -l project -d 'The folder of the project, in place of the project around the current directory' -r
complete -c segue -n "__fish_segue_using_subcommand check" -l as -d 'The harness that is to resume it; left out, the one that seems to have written it' -r -f -a "claude\t''
codex\t''
gemini\t''"
complete -c segue -n "__fish_segue_using_subcommand check" -l json -d 'Print the findings as JSON'
complete -c segue -n "__fish_segue_using_subcommand check" -s v -l verbose -d 'Show every note, not only one line a kind'
complete -c segue -n "__fish_segue_using_subcommand check" -s q -l quiet -d 'Say nothing on standard error but errors'
complete -c segue -n "__fish_segue_using_subcommand check" -l strict -d 'Fail with exit code 5 if anything had to be left out'
complete -c segue -n "__fish_segue_using_subcommand check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c segue -n "__fish_segue_using_subcommand templates" -s v -l verbose -d 'Show every note, not only one line a kind'
complete -c segue -n "__fish_segue_using_subcommand templates" -s q -l quiet -d 'Say nothing on standard error but errors'
complete -c segue -n "__fish_segue_using_subcommand templates" -l strict -d 'Fail with exit code 5 if anything had to be left out'
complete -c segue -n "__fish_segue_using_subcommand templates" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c segue -n "__fish_segue_using_subcommand schema" -s v -l verbose -d 'Show every note, not only one line a kind'
complete -c segue -n "__fish_segue_using_subcommand schema" -s q -l quiet -d 'Say nothing on standard error but errors'
complete -c segue -n "__fish_segue_using_subcommand schema" -l strict -d 'Fail with exit code 5 if anything had to be left out'
complete -c segue -n "__fish_segue_using_subcommand schema" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c segue -n "__fish_segue_using_subcommand completions" -s v -l verbose -d 'Show every note, not only one line a kind'
complete -c segue -n "__fish_segue_using_subcommand completions" -s q -l quiet -d 'Say nothing on standard error but errors'
complete -c segue -n "__fish_segue_using_subcommand completions" -l strict -d 'Fail with exit code 5 if anything had to be left out'
complete -c segue -n "__fish_segue_using_subcommand completions" -s h -l help -d 'Print help'
complete -c segue -n "__fish_segue_using_subcommand man" -s v -l verbose -d 'Show every note, not only one line a kind'
complete -c segue -n "__fish_segue_using_subcommand man" -s q -l quiet -d 'Say nothing on standard error but errors'
complete -c segue -n "__fish_segue_using_subcommand man" -l strict -d 'Fail with exit code 5 if anything had to be left out'
complete -c segue -n "__fish_segue_using_subcommand man" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c segue -n "__fish_segue_using_subcommand help; and not __fish_seen_subcommand_from list pack sync show status frame search span diff export convert check templates schema completions man help" -f -a "list" -d 'Show the sessions of this project, newest first'
complete -c segue -n "__fish_segue_using_subcommand help; and not __fish_seen_subcommand_from list pack sync show status frame search span diff export convert check templates schema completions man help" -f -a "pack" -d 'Print what the next session needs, within a budget of tokens'
complete -c segue -n "__fish_segue_using_subcommand help; and not __fish_seen_subcommand_from list pack sync show status frame search span diff export convert check templates schema completions man help" -f -a "sync" -d 'Keep a pack as a block of the files that harnesses read at their start'
complete -c segue -n "__fish_segue_using_subcommand help; and not __fish_seen_subcommand_from list pack sync show status frame search span diff export convert check templates schema completions man help" -f -a "show" -d 'Print what an id of a pack stands for'
complete -c segue -n "__fish_segue_using_subcommand help; and not __fish_seen_subcommand_from list pack sync show status frame search span diff export convert check templates schema completions man help" -f -a "status" -d 'Say whether the work of a session is done'
complete -c segue -n "__fish_segue_using_subcommand help; and not __fish_seen_subcommand_from list pack sync show status frame search span diff export convert check templates schema completions man help" -f -a "frame" -d 'Print the last turn as a frame of state, in JSON'
complete -c segue -n "__fish_segue_using_subcommand help; and not __fish_seen_subcommand_from list pack sync show status frame search span diff export convert check templates schema completions man help" -f -a "search" -d 'Print the items of a session that hold some words, newest first'
complete -c segue -n "__fish_segue_using_subcommand help; and not __fish_seen_subcommand_from list pack sync show status frame search span diff export convert check templates schema completions man help" -f -a "span" -d 'Print lines of a file of the project as it is now'
complete -c segue -n "__fish_segue_using_subcommand help; and not __fish_seen_subcommand_from list pack sync show status frame search span diff export convert check templates schema completions man help" -f -a "diff" -d 'Say what is new, resolved and changed between two packs'
complete -c segue -n "__fish_segue_using_subcommand help; and not __fish_seen_subcommand_from list pack sync show status frame search span diff export convert check templates schema completions man help" -f -a "export" -d 'Print a session in one schema, whatever harness wrote it'
complete -c segue -n "__fish_segue_using_subcommand help; and not __fish_seen_subcommand_from list pack sync show status frame search span diff export convert check templates schema completions man help" -f -a "convert" -d 'Write a session as another harness\'s own, which its program resumes'
complete -c segue -n "__fish_segue_using_subcommand help; and not __fish_seen_subcommand_from list pack sync show status frame search span diff export convert check templates schema completions man help" -f -a "check" -d 'Look for what would stop a session file from being listed, loaded, or accepted'
complete -c segue -n "__fish_segue_using_subcommand help; and not __fish_seen_subcommand_from list pack sync show status frame search span diff export convert check templates schema completions man help" -f -a "templates" -d 'List what a pack can be made for, or print a built-in template'
complete -c segue -n "__fish_segue_using_subcommand help; and not __fish_seen_subcommand_from list pack sync show status frame search span diff export convert check templates schema completions man help" -f -a "schema" -d 'Print a JSON Schema'
complete -c segue -n "__fish_segue_using_subcommand help; and not __fish_seen_subcommand_from list pack sync show status frame search span diff export convert check templates schema completions man help" -f -a "completions" -d 'Print completions for a shell'
complete -c segue -n "__fish_segue_using_subcommand help; and not __fish_seen_subcommand_from list pack sync show status frame search span diff export convert check templates schema completions man help" -f -a "man" -d 'Print the manual page'
complete -c segue -n "__fish_segue_using_subcommand help; and not __fish_seen_subcommand_from list pack sync show status frame search span diff export convert check templates schema completions man help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
