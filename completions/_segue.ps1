
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'segue' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'segue'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'segue' {
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Fail with exit code 5 if anything had to be left out')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'Show the sessions of this project, newest first')
            [CompletionResult]::new('pack', 'pack', [CompletionResultType]::ParameterValue, 'Print what the next session needs, within a budget of tokens')
            [CompletionResult]::new('sync', 'sync', [CompletionResultType]::ParameterValue, 'Keep a pack as a block in AGENTS.md or another file that harnesses read first')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Print what an id of a pack stands for')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Say whether the work of a session is done')
            [CompletionResult]::new('frame', 'frame', [CompletionResultType]::ParameterValue, 'Print the state that the last turn left, as a frame in JSON')
            [CompletionResult]::new('search', 'search', [CompletionResultType]::ParameterValue, 'Print the items of a session that hold some words, newest first')
            [CompletionResult]::new('span', 'span', [CompletionResultType]::ParameterValue, 'Print lines of a file of the project as it is now')
            [CompletionResult]::new('diff', 'diff', [CompletionResultType]::ParameterValue, 'Say what is new, resolved and changed between two packs')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Print a session in one schema, whatever harness wrote it')
            [CompletionResult]::new('convert', 'convert', [CompletionResultType]::ParameterValue, 'Write a session as another harness''s own, which its program resumes')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Look for what would stop a session file from being listed, loaded, or accepted')
            [CompletionResult]::new('memory', 'memory', [CompletionResultType]::ParameterValue, 'Look at memories, and move them between harnesses')
            [CompletionResult]::new('doctor', 'doctor', [CompletionResultType]::ParameterValue, 'Say what is there of each harness, and what stands in the way')
            [CompletionResult]::new('templates', 'templates', [CompletionResultType]::ParameterValue, 'List what a pack can be made for, or print a built-in template')
            [CompletionResult]::new('schema', 'schema', [CompletionResultType]::ParameterValue, 'Print a JSON Schema')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print completions for a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Print the manual page')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'segue;list' {
            [CompletionResult]::new('--harness', '--harness', [CompletionResultType]::ParameterName, 'Only sessions of this harness')
            [CompletionResult]::new('--project', '--project', [CompletionResultType]::ParameterName, 'The folder of the project, in place of the project around the current directory')
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'Only sessions that ended since then: 30m, 12h, 7d, 2w, a date such as 2026-01-02, or a time in UTC such as 2026-01-02T15:04')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Show at most this many, 0 for all and each in a row of its own [default: 20; with --json all]')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Fail with exit code 5 if anything had to be left out')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Show the sessions of all projects')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object a line')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'segue;pack' {
            [CompletionResult]::new('--harness', '--harness', [CompletionResultType]::ParameterName, 'Only sessions of this harness')
            [CompletionResult]::new('--project', '--project', [CompletionResultType]::ParameterName, 'The folder of the project, in place of the project around the current directory')
            [CompletionResult]::new('--sessions', '--sessions', [CompletionResultType]::ParameterName, 'Pack this many of the project''s newest sessions together, of whatever harness')
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'Pack the sessions that ended since then: 30m, 12h, 7d, 2w, a date such as 2026-01-02, or a time in UTC such as 2026-01-02T15:04')
            [CompletionResult]::new('--hint', '--hint', [CompletionResultType]::ParameterName, 'Take the session that has these words in its title, folder or requests')
            [CompletionResult]::new('--budget', '--budget', [CompletionResultType]::ParameterName, 'The most tokens that the pack may cost')
            [CompletionResult]::new('--max-chars', '--max-chars', [CompletionResultType]::ParameterName, 'The most characters that the pack may have, one beyond U+FFFF (an emoji) counted as two')
            [CompletionResult]::new('--count-as', '--count-as', [CompletionResultType]::ParameterName, 'Count tokens of this encoding or model')
            [CompletionResult]::new('--for', '--for', [CompletionResultType]::ParameterName, 'Make it for this target: a token counts more where its models count more')
            [CompletionResult]::new('--template', '--template', [CompletionResultType]::ParameterName, 'Render through this template, in place of the built-in one')
            [CompletionResult]::new('--as-of', '--as-of', [CompletionResultType]::ParameterName, 'The day from which ages count; of a time its day in UTC [default: today, UTC]')
            [CompletionResult]::new('--until', '--until', [CompletionResultType]::ParameterName, 'The session as it was at the end of a turn (T-2), at an item by its id, at a day or a time, such as 2026-01-31T15:04, in UTC unless it names a zone')
            [CompletionResult]::new('--focus', '--focus', [CompletionResultType]::ParameterName, 'Raise what is near these words of the next task')
            [CompletionResult]::new('--weights', '--weights', [CompletionResultType]::ParameterName, 'Weigh things as this JSON file says; what it leaves out keeps its weight (`segue schema weights`)')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Let through what looks like this kind of hidden instruction')
            [CompletionResult]::new('--known-hash', '--known-hash', [CompletionResultType]::ParameterName, 'Print only `unchanged`, and write no file, if the pack has this hash or one that begins so')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write to a file, whole or not at all')
            [CompletionResult]::new('--out', '--out', [CompletionResultType]::ParameterName, 'Write to a file, whole or not at all')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Fail with exit code 5 if anything had to be left out')
            [CompletionResult]::new('--no-check', '--no-check', [CompletionResultType]::ParameterName, 'Do not look at the files of the project, nor ask git, for what changed since the session')
            [CompletionResult]::new('--with-memory', '--with-memory', [CompletionResultType]::ParameterName, 'Add the memories of all harnesses that touch the work, with their age')
            [CompletionResult]::new('--no-redact', '--no-redact', [CompletionResultType]::ParameterName, 'Leave keys, tokens and passwords in')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print what the template gets, as JSON')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Print why each thing is in the pack or not, in place of the pack')
            [CompletionResult]::new('--demo', '--demo', [CompletionResultType]::ParameterName, 'Use a session that is built into the program')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'segue;sync' {
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'The session: a file, an id or the start of one, HARNESS:ID, or `latest`')
            [CompletionResult]::new('--harness', '--harness', [CompletionResultType]::ParameterName, 'Only sessions of this harness')
            [CompletionResult]::new('--project', '--project', [CompletionResultType]::ParameterName, 'The folder of the project, in place of the project around the current directory')
            [CompletionResult]::new('--sessions', '--sessions', [CompletionResultType]::ParameterName, 'Pack this many of the project''s newest sessions together, of whatever harness')
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'Pack the sessions that ended since then: 30m, 12h, 7d, 2w, a date such as 2026-01-02, or a time in UTC such as 2026-01-02T15:04')
            [CompletionResult]::new('--hint', '--hint', [CompletionResultType]::ParameterName, 'Take the session that has these words in its title, folder or requests')
            [CompletionResult]::new('--budget', '--budget', [CompletionResultType]::ParameterName, 'The most tokens that the pack may cost')
            [CompletionResult]::new('--max-chars', '--max-chars', [CompletionResultType]::ParameterName, 'The most characters that the pack may have, one beyond U+FFFF (an emoji) counted as two')
            [CompletionResult]::new('--count-as', '--count-as', [CompletionResultType]::ParameterName, 'Count tokens of this encoding or model')
            [CompletionResult]::new('--for', '--for', [CompletionResultType]::ParameterName, 'Make it for this target: a token counts more where its models count more')
            [CompletionResult]::new('--template', '--template', [CompletionResultType]::ParameterName, 'Render through this template, in place of the built-in one')
            [CompletionResult]::new('--as-of', '--as-of', [CompletionResultType]::ParameterName, 'The day from which ages count; of a time its day in UTC [default: today, UTC]')
            [CompletionResult]::new('--until', '--until', [CompletionResultType]::ParameterName, 'The session as it was at the end of a turn (T-2), at an item by its id, at a day or a time, such as 2026-01-31T15:04, in UTC unless it names a zone')
            [CompletionResult]::new('--focus', '--focus', [CompletionResultType]::ParameterName, 'Raise what is near these words of the next task')
            [CompletionResult]::new('--weights', '--weights', [CompletionResultType]::ParameterName, 'Weigh things as this JSON file says; what it leaves out keeps its weight (`segue schema weights`)')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Let through what looks like this kind of hidden instruction')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Fail with exit code 5 if anything had to be left out')
            [CompletionResult]::new('--no-check', '--no-check', [CompletionResultType]::ParameterName, 'Do not look at the files of the project, nor ask git, for what changed since the session')
            [CompletionResult]::new('--with-memory', '--with-memory', [CompletionResultType]::ParameterName, 'Add the memories of all harnesses that touch the work, with their age')
            [CompletionResult]::new('--no-redact', '--no-redact', [CompletionResultType]::ParameterName, 'Leave keys, tokens and passwords in')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'Write nothing; exit code 1 if a block is out of date or missing')
            [CompletionResult]::new('--remove', '--remove', [CompletionResultType]::ParameterName, 'Take the block out; a file with nothing else in it goes, too')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'segue;show' {
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'A file, `-` for standard input, an id or the start of one, HARNESS:ID, or `latest`')
            [CompletionResult]::new('--until', '--until', [CompletionResultType]::ParameterName, 'The session as it was at a point, for the ids of a pack that was made with `--until`')
            [CompletionResult]::new('--harness', '--harness', [CompletionResultType]::ParameterName, 'Only sessions of this harness')
            [CompletionResult]::new('--project', '--project', [CompletionResultType]::ParameterName, 'The folder of the project, in place of the project around the current directory')
            [CompletionResult]::new('--level', '--level', [CompletionResultType]::ParameterName, 'How much of a turn to print')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Fail with exit code 5 if anything had to be left out')
            [CompletionResult]::new('--demo', '--demo', [CompletionResultType]::ParameterName, 'Use a session that is built into the program')
            [CompletionResult]::new('--no-redact', '--no-redact', [CompletionResultType]::ParameterName, 'Leave keys, tokens and passwords in')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'segue;status' {
            [CompletionResult]::new('--harness', '--harness', [CompletionResultType]::ParameterName, 'Only sessions of this harness')
            [CompletionResult]::new('--project', '--project', [CompletionResultType]::ParameterName, 'The folder of the project, in place of the project around the current directory')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Let through what looks like this kind of hidden instruction')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Fail with exit code 5 if anything had to be left out')
            [CompletionResult]::new('--no-redact', '--no-redact', [CompletionResultType]::ParameterName, 'Leave keys, tokens and passwords in')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'segue;frame' {
            [CompletionResult]::new('--harness', '--harness', [CompletionResultType]::ParameterName, 'Only sessions of this harness')
            [CompletionResult]::new('--project', '--project', [CompletionResultType]::ParameterName, 'The folder of the project, in place of the project around the current directory')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Let through what looks like this kind of hidden instruction')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Fail with exit code 5 if anything had to be left out')
            [CompletionResult]::new('--no-redact', '--no-redact', [CompletionResultType]::ParameterName, 'Leave keys, tokens and passwords in')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'segue;search' {
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'A file, `-` for standard input, an id or the start of one, HARNESS:ID, or `latest`')
            [CompletionResult]::new('--harness', '--harness', [CompletionResultType]::ParameterName, 'Only sessions of this harness')
            [CompletionResult]::new('--project', '--project', [CompletionResultType]::ParameterName, 'The folder of the project, in place of the project around the current directory')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Show at most this many, 0 for all')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Fail with exit code 5 if anything had to be left out')
            [CompletionResult]::new('--demo', '--demo', [CompletionResultType]::ParameterName, 'Use a session that is built into the program')
            [CompletionResult]::new('--whole-words', '--whole-words', [CompletionResultType]::ParameterName, 'Only whole words: `art` is not in `start`')
            [CompletionResult]::new('--all-items', '--all-items', [CompletionResultType]::ParameterName, 'Search what does not count, too: reasoning, side sessions, branches that were left')
            [CompletionResult]::new('--no-redact', '--no-redact', [CompletionResultType]::ParameterName, 'Leave keys, tokens and passwords in')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'segue;span' {
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'A file, `-` for standard input, an id or the start of one, HARNESS:ID, or `latest`')
            [CompletionResult]::new('--harness', '--harness', [CompletionResultType]::ParameterName, 'Only sessions of this harness')
            [CompletionResult]::new('--project', '--project', [CompletionResultType]::ParameterName, 'The folder of the project, in place of the project around the current directory')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Fail with exit code 5 if anything had to be left out')
            [CompletionResult]::new('--demo', '--demo', [CompletionResultType]::ParameterName, 'Use a session that is built into the program')
            [CompletionResult]::new('--no-redact', '--no-redact', [CompletionResultType]::ParameterName, 'Leave keys, tokens and passwords in')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'segue;diff' {
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'The older point of the session: a turn (T-2), an item, a time, in UTC unless it names a zone, or a day, whose start is meant [default: its start]')
            [CompletionResult]::new('--to', '--to', [CompletionResultType]::ParameterName, 'The newer point; of a day its end is meant [default: its end]')
            [CompletionResult]::new('--harness', '--harness', [CompletionResultType]::ParameterName, 'Only sessions of this harness')
            [CompletionResult]::new('--project', '--project', [CompletionResultType]::ParameterName, 'The folder of the project, in place of the project around the current directory')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Let through what looks like this kind of hidden instruction')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Fail with exit code 5 if anything had to be left out')
            [CompletionResult]::new('--no-redact', '--no-redact', [CompletionResultType]::ParameterName, 'Leave keys, tokens and passwords in')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'segue;export' {
            [CompletionResult]::new('--harness', '--harness', [CompletionResultType]::ParameterName, 'Only sessions of this harness')
            [CompletionResult]::new('--project', '--project', [CompletionResultType]::ParameterName, 'The folder of the project, in place of the project around the current directory')
            [CompletionResult]::new('--view', '--view', [CompletionResultType]::ParameterName, 'What to show of a session that was compacted, branched or rolled back')
            [CompletionResult]::new('--to', '--to', [CompletionResultType]::ParameterName, 'The form of the output')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write to FILE, which appears whole or not at all; `-` is standard output')
            [CompletionResult]::new('--out', '--out', [CompletionResultType]::ParameterName, 'Write to FILE, which appears whole or not at all; `-` is standard output')
            [CompletionResult]::new('--out-dir', '--out-dir', [CompletionResultType]::ParameterName, 'The folder for `--all`; a file there that is up to date, by content, is left alone')
            [CompletionResult]::new('--atif-version', '--atif-version', [CompletionResultType]::ParameterName, 'The schema version that `--to atif` names [default: 1.7]')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Fail with exit code 5 if anything had to be left out')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Add a `line` record for each line of the source, enough to rebuild it byte for byte')
            [CompletionResult]::new('--redact', '--redact', [CompletionResultType]::ParameterName, 'Replace keys, tokens and passwords by tags such as `[REDACTED:jwt:1]`')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Export every session of all projects, or of the one that `--project` names, into `--out-dir`')
            [CompletionResult]::new('--blobs', '--blobs', [CompletionResultType]::ParameterName, 'Keep images and other bytes, in base64, not only their digests')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'segue;convert' {
            [CompletionResult]::new('--harness', '--harness', [CompletionResultType]::ParameterName, 'Only sessions of this harness')
            [CompletionResult]::new('--project', '--project', [CompletionResultType]::ParameterName, 'The folder of the project, in place of the project around the current directory')
            [CompletionResult]::new('--to', '--to', [CompletionResultType]::ParameterName, 'The harness that is to resume it')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Where to write it; left out, standard output')
            [CompletionResult]::new('--out', '--out', [CompletionResultType]::ParameterName, 'Where to write it; left out, standard output')
            [CompletionResult]::new('--cwd', '--cwd', [CompletionResultType]::ParameterName, 'The folder in which the session is to go on, in place of its own')
            [CompletionResult]::new('--max-tokens', '--max-tokens', [CompletionResultType]::ParameterName, 'Fold the oldest turns into a pack until what is sent fits so many tokens of the target')
            [CompletionResult]::new('--report', '--report', [CompletionResultType]::ParameterName, 'Write what was lost, as JSON; `segue schema conversion` describes it')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Fail with exit code 5 if anything had to be left out')
            [CompletionResult]::new('--install', '--install', [CompletionResultType]::ParameterName, 'Put it where the harness looks for its sessions, and print the command that resumes it')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Write no session: print where it would go and what it would hold')
            [CompletionResult]::new('--full-history', '--full-history', [CompletionResultType]::ParameterName, 'Carry all that was ever sent, as if nothing had been compacted')
            [CompletionResult]::new('--redact', '--redact', [CompletionResultType]::ParameterName, 'Replace keys, tokens and passwords by tags such as `[REDACTED:jwt:1]`')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'segue;check' {
            [CompletionResult]::new('--harness', '--harness', [CompletionResultType]::ParameterName, 'Only sessions of this harness')
            [CompletionResult]::new('--project', '--project', [CompletionResultType]::ParameterName, 'The folder of the project, in place of the project around the current directory')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'The harness that is to resume it; left out, the one that seems to have written it')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Fail with exit code 5 if anything had to be left out')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the findings as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'segue;memory' {
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Fail with exit code 5 if anything had to be left out')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'Show memories: kind, age, title, and where they stand')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Print a memory, with where it stands and how old it is')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Write memories as records that every harness has in common, one a line')
            [CompletionResult]::new('import', 'import', [CompletionResultType]::ParameterValue, 'Put records of `segue memory export` into a harness')
            [CompletionResult]::new('migrate', 'migrate', [CompletionResultType]::ParameterValue, 'Show what moving memories from one harness to another would change, and do it with `--write`')
            [CompletionResult]::new('edit', 'edit', [CompletionResultType]::ParameterValue, 'Replace or remove one memory, named by a part of its text')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Look for memories that are cut, not found, or not loaded, and for what should not be in them')
            [CompletionResult]::new('seed', 'seed', [CompletionResultType]::ParameterValue, 'Propose memories from your own sessions, for a harness that has none yet')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'segue;memory;list' {
            [CompletionResult]::new('--project', '--project', [CompletionResultType]::ParameterName, 'The folder of the project, in place of the project around the current directory')
            [CompletionResult]::new('--scope', '--scope', [CompletionResultType]::ParameterName, 'Only what holds in every project, or only what holds in this one')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Let through what looks like this kind of hidden instruction')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'The memories of all projects')
            [CompletionResult]::new('--instructions', '--instructions', [CompletionResultType]::ParameterName, 'Show what humans wrote into context files too')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one record a line')
            [CompletionResult]::new('--no-redact', '--no-redact', [CompletionResultType]::ParameterName, 'Leave keys, tokens and passwords in')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Fail with exit code 5 if anything had to be left out')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'segue;memory;show' {
            [CompletionResult]::new('--project', '--project', [CompletionResultType]::ParameterName, 'The folder of the project, in place of the project around the current directory')
            [CompletionResult]::new('--scope', '--scope', [CompletionResultType]::ParameterName, 'Only what holds in every project, or only what holds in this one')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Let through what looks like this kind of hidden instruction')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'The memories of all projects')
            [CompletionResult]::new('--no-redact', '--no-redact', [CompletionResultType]::ParameterName, 'Leave keys, tokens and passwords in')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Fail with exit code 5 if anything had to be left out')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'segue;memory;export' {
            [CompletionResult]::new('--project', '--project', [CompletionResultType]::ParameterName, 'The folder of the project, in place of the project around the current directory')
            [CompletionResult]::new('--scope', '--scope', [CompletionResultType]::ParameterName, 'Only what holds in every project, or only what holds in this one')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write to this file in place of standard output')
            [CompletionResult]::new('--out', '--out', [CompletionResultType]::ParameterName, 'Write to this file in place of standard output')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Let through what looks like this kind of hidden instruction')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'The memories of all projects')
            [CompletionResult]::new('--no-redact', '--no-redact', [CompletionResultType]::ParameterName, 'Leave keys, tokens and passwords in')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Fail with exit code 5 if anything had to be left out')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'segue;memory;import' {
            [CompletionResult]::new('--to', '--to', [CompletionResultType]::ParameterName, 'Who is to have them')
            [CompletionResult]::new('--with', '--with', [CompletionResultType]::ParameterName, 'Take these too')
            [CompletionResult]::new('--project', '--project', [CompletionResultType]::ParameterName, 'The folder of the project, in place of the project around the current directory')
            [CompletionResult]::new('--scope', '--scope', [CompletionResultType]::ParameterName, 'Only what holds in every project, or only what holds in this one')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Let through what looks like this kind of hidden instruction')
            [CompletionResult]::new('--activate', '--activate', [CompletionResultType]::ParameterName, 'Also change what the harness loads at once, although it may begin to work on it')
            [CompletionResult]::new('--write', '--write', [CompletionResultType]::ParameterName, 'Do it; without this only the plan is shown')
            [CompletionResult]::new('--no-diff', '--no-diff', [CompletionResultType]::ParameterName, 'Leave the differences of the files out, only show the table')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the plan as JSON')
            [CompletionResult]::new('--no-redact', '--no-redact', [CompletionResultType]::ParameterName, 'Leave keys, tokens and passwords in')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Fail with exit code 5 if anything had to be left out')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'segue;memory;migrate' {
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Whose memories')
            [CompletionResult]::new('--prune-unused-days', '--prune-unused-days', [CompletionResultType]::ParameterName, 'Propose to leave out what no session has used for so many days; it is only shown')
            [CompletionResult]::new('--to', '--to', [CompletionResultType]::ParameterName, 'Who is to have them')
            [CompletionResult]::new('--with', '--with', [CompletionResultType]::ParameterName, 'Take these too')
            [CompletionResult]::new('--project', '--project', [CompletionResultType]::ParameterName, 'The folder of the project, in place of the project around the current directory')
            [CompletionResult]::new('--scope', '--scope', [CompletionResultType]::ParameterName, 'Only what holds in every project, or only what holds in this one')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Let through what looks like this kind of hidden instruction')
            [CompletionResult]::new('--activate', '--activate', [CompletionResultType]::ParameterName, 'Also change what the harness loads at once, although it may begin to work on it')
            [CompletionResult]::new('--write', '--write', [CompletionResultType]::ParameterName, 'Do it; without this only the plan is shown')
            [CompletionResult]::new('--no-diff', '--no-diff', [CompletionResultType]::ParameterName, 'Leave the differences of the files out, only show the table')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the plan as JSON')
            [CompletionResult]::new('--no-redact', '--no-redact', [CompletionResultType]::ParameterName, 'Leave keys, tokens and passwords in')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Fail with exit code 5 if anything had to be left out')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'segue;memory;edit' {
            [CompletionResult]::new('--match', '--match', [CompletionResultType]::ParameterName, 'A part of its title or text, or its id or the start of one')
            [CompletionResult]::new('--replace', '--replace', [CompletionResultType]::ParameterName, 'The new text')
            [CompletionResult]::new('--project', '--project', [CompletionResultType]::ParameterName, 'The folder of the project, in place of the project around the current directory')
            [CompletionResult]::new('--scope', '--scope', [CompletionResultType]::ParameterName, 'Only what holds in every project, or only what holds in this one')
            [CompletionResult]::new('--remove', '--remove', [CompletionResultType]::ParameterName, 'Take it out')
            [CompletionResult]::new('--write', '--write', [CompletionResultType]::ParameterName, 'Do it; without this only the plan is shown')
            [CompletionResult]::new('--no-diff', '--no-diff', [CompletionResultType]::ParameterName, 'Leave the differences of the files out, only show the table')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the plan as JSON')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Fail with exit code 5 if anything had to be left out')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'segue;memory;check' {
            [CompletionResult]::new('--project', '--project', [CompletionResultType]::ParameterName, 'The folder of the project, in place of the project around the current directory')
            [CompletionResult]::new('--scope', '--scope', [CompletionResultType]::ParameterName, 'Only what holds in every project, or only what holds in this one')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'The memories of all projects')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the findings as JSON')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Fail with exit code 5 if anything had to be left out')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'segue;memory;seed' {
            [CompletionResult]::new('--sessions', '--sessions', [CompletionResultType]::ParameterName, 'Read at most so many sessions of the project, the newest')
            [CompletionResult]::new('--project', '--project', [CompletionResultType]::ParameterName, 'The folder of the project, in place of the project around the current directory')
            [CompletionResult]::new('--scope', '--scope', [CompletionResultType]::ParameterName, 'Only what holds in every project, or only what holds in this one')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Let through what looks like this kind of hidden instruction')
            [CompletionResult]::new('--write', '--write', [CompletionResultType]::ParameterName, 'Do it; without this only the plan is shown')
            [CompletionResult]::new('--no-diff', '--no-diff', [CompletionResultType]::ParameterName, 'Leave the differences of the files out, only show the table')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the plan as JSON')
            [CompletionResult]::new('--no-redact', '--no-redact', [CompletionResultType]::ParameterName, 'Leave keys, tokens and passwords in')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Fail with exit code 5 if anything had to be left out')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'segue;memory;help' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'Show memories: kind, age, title, and where they stand')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Print a memory, with where it stands and how old it is')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Write memories as records that every harness has in common, one a line')
            [CompletionResult]::new('import', 'import', [CompletionResultType]::ParameterValue, 'Put records of `segue memory export` into a harness')
            [CompletionResult]::new('migrate', 'migrate', [CompletionResultType]::ParameterValue, 'Show what moving memories from one harness to another would change, and do it with `--write`')
            [CompletionResult]::new('edit', 'edit', [CompletionResultType]::ParameterValue, 'Replace or remove one memory, named by a part of its text')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Look for memories that are cut, not found, or not loaded, and for what should not be in them')
            [CompletionResult]::new('seed', 'seed', [CompletionResultType]::ParameterValue, 'Propose memories from your own sessions, for a harness that has none yet')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'segue;memory;help;list' {
            break
        }
        'segue;memory;help;show' {
            break
        }
        'segue;memory;help;export' {
            break
        }
        'segue;memory;help;import' {
            break
        }
        'segue;memory;help;migrate' {
            break
        }
        'segue;memory;help;edit' {
            break
        }
        'segue;memory;help;check' {
            break
        }
        'segue;memory;help;seed' {
            break
        }
        'segue;memory;help;help' {
            break
        }
        'segue;doctor' {
            [CompletionResult]::new('--harness', '--harness', [CompletionResultType]::ParameterName, 'Only sessions of this harness')
            [CompletionResult]::new('--project', '--project', [CompletionResultType]::ParameterName, 'The folder of the project, in place of the project around the current directory')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Fail with exit code 5 if anything had to be left out')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the answer as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'segue;templates' {
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Fail with exit code 5 if anything had to be left out')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'segue;schema' {
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Fail with exit code 5 if anything had to be left out')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'segue;completions' {
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Fail with exit code 5 if anything had to be left out')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'segue;man' {
            [CompletionResult]::new('--out-dir', '--out-dir', [CompletionResultType]::ParameterName, 'Write the page, and one a command, into this folder')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show every note, not only one line a kind')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say nothing on standard error but errors')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Fail with exit code 5 if anything had to be left out')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'segue;help' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'Show the sessions of this project, newest first')
            [CompletionResult]::new('pack', 'pack', [CompletionResultType]::ParameterValue, 'Print what the next session needs, within a budget of tokens')
            [CompletionResult]::new('sync', 'sync', [CompletionResultType]::ParameterValue, 'Keep a pack as a block in AGENTS.md or another file that harnesses read first')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Print what an id of a pack stands for')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Say whether the work of a session is done')
            [CompletionResult]::new('frame', 'frame', [CompletionResultType]::ParameterValue, 'Print the state that the last turn left, as a frame in JSON')
            [CompletionResult]::new('search', 'search', [CompletionResultType]::ParameterValue, 'Print the items of a session that hold some words, newest first')
            [CompletionResult]::new('span', 'span', [CompletionResultType]::ParameterValue, 'Print lines of a file of the project as it is now')
            [CompletionResult]::new('diff', 'diff', [CompletionResultType]::ParameterValue, 'Say what is new, resolved and changed between two packs')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Print a session in one schema, whatever harness wrote it')
            [CompletionResult]::new('convert', 'convert', [CompletionResultType]::ParameterValue, 'Write a session as another harness''s own, which its program resumes')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Look for what would stop a session file from being listed, loaded, or accepted')
            [CompletionResult]::new('memory', 'memory', [CompletionResultType]::ParameterValue, 'Look at memories, and move them between harnesses')
            [CompletionResult]::new('doctor', 'doctor', [CompletionResultType]::ParameterValue, 'Say what is there of each harness, and what stands in the way')
            [CompletionResult]::new('templates', 'templates', [CompletionResultType]::ParameterValue, 'List what a pack can be made for, or print a built-in template')
            [CompletionResult]::new('schema', 'schema', [CompletionResultType]::ParameterValue, 'Print a JSON Schema')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print completions for a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Print the manual page')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'segue;help;list' {
            break
        }
        'segue;help;pack' {
            break
        }
        'segue;help;sync' {
            break
        }
        'segue;help;show' {
            break
        }
        'segue;help;status' {
            break
        }
        'segue;help;frame' {
            break
        }
        'segue;help;search' {
            break
        }
        'segue;help;span' {
            break
        }
        'segue;help;diff' {
            break
        }
        'segue;help;export' {
            break
        }
        'segue;help;convert' {
            break
        }
        'segue;help;check' {
            break
        }
        'segue;help;memory' {
            break
        }
        'segue;help;doctor' {
            break
        }
        'segue;help;templates' {
            break
        }
        'segue;help;schema' {
            break
        }
        'segue;help;completions' {
            break
        }
        'segue;help;man' {
            break
        }
        'segue;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
