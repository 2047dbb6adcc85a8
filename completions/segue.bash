_segue() {
    local i cur prev opts cmd
    COMPREPLY=()
    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
        cur="$2"
    else
        cur="${COMP_WORDS[COMP_CWORD]}"
    fi
    prev="$3"
    cmd=""
    opts=""

    for i in "${COMP_WORDS[@]:0:COMP_CWORD}"
    do
        case "${cmd},${i}" in
            ",$1")
                cmd="segue"
                ;;
            segue,check)
                cmd="segue__subcmd__check"
                ;;
            segue,completions)
                cmd="segue__subcmd__completions"
                ;;
            segue,convert)
                cmd="segue__subcmd__convert"
                ;;
            segue,diff)
                cmd="segue__subcmd__diff"
                ;;
            segue,doctor)
                cmd="segue__subcmd__doctor"
                ;;
            segue,export)
                cmd="segue__subcmd__export"
                ;;
            segue,frame)
                cmd="segue__subcmd__frame"
                ;;
            segue,help)
                cmd="segue__subcmd__help"
                ;;
            segue,list)
                cmd="segue__subcmd__list"
                ;;
            segue,man)
                cmd="segue__subcmd__man"
                ;;
            segue,memory)
                cmd="segue__subcmd__memory"
                ;;
            segue,pack)
                cmd="segue__subcmd__pack"
                ;;
            segue,schema)
                cmd="segue__subcmd__schema"
                ;;
            segue,search)
                cmd="segue__subcmd__search"
                ;;
            segue,show)
                cmd="segue__subcmd__show"
                ;;
            segue,span)
                cmd="segue__subcmd__span"
                ;;
            segue,status)
                cmd="segue__subcmd__status"
                ;;
            segue,sync)
                cmd="segue__subcmd__sync"
                ;;
            segue,templates)
                cmd="segue__subcmd__templates"
                ;;
            segue__subcmd__help,check)
                cmd="segue__subcmd__help__subcmd__check"
                ;;
            segue__subcmd__help,completions)
                cmd="segue__subcmd__help__subcmd__completions"
                ;;
            segue__subcmd__help,convert)
                cmd="segue__subcmd__help__subcmd__convert"
                ;;
            segue__subcmd__help,diff)
                cmd="segue__subcmd__help__subcmd__diff"
                ;;
            segue__subcmd__help,doctor)
                cmd="segue__subcmd__help__subcmd__doctor"
                ;;
            segue__subcmd__help,export)
                cmd="segue__subcmd__help__subcmd__export"
                ;;
            segue__subcmd__help,frame)
                cmd="segue__subcmd__help__subcmd__frame"
                ;;
            segue__subcmd__help,help)
                cmd="segue__subcmd__help__subcmd__help"
                ;;
            segue__subcmd__help,list)
                cmd="segue__subcmd__help__subcmd__list"
                ;;
            segue__subcmd__help,man)
                cmd="segue__subcmd__help__subcmd__man"
                ;;
            segue__subcmd__help,memory)
                cmd="segue__subcmd__help__subcmd__memory"
                ;;
            segue__subcmd__help,pack)
                cmd="segue__subcmd__help__subcmd__pack"
                ;;
            segue__subcmd__help,schema)
                cmd="segue__subcmd__help__subcmd__schema"
                ;;
            segue__subcmd__help,search)
                cmd="segue__subcmd__help__subcmd__search"
                ;;
            segue__subcmd__help,show)
                cmd="segue__subcmd__help__subcmd__show"
                ;;
            segue__subcmd__help,span)
                cmd="segue__subcmd__help__subcmd__span"
                ;;
            segue__subcmd__help,status)
                cmd="segue__subcmd__help__subcmd__status"
                ;;
            segue__subcmd__help,sync)
                cmd="segue__subcmd__help__subcmd__sync"
                ;;
            segue__subcmd__help,templates)
                cmd="segue__subcmd__help__subcmd__templates"
                ;;
            segue__subcmd__memory,check)
                cmd="segue__subcmd__memory__subcmd__check"
                ;;
            segue__subcmd__memory,edit)
                cmd="segue__subcmd__memory__subcmd__edit"
                ;;
            segue__subcmd__memory,export)
                cmd="segue__subcmd__memory__subcmd__export"
                ;;
            segue__subcmd__memory,help)
                cmd="segue__subcmd__memory__subcmd__help"
                ;;
            segue__subcmd__memory,import)
                cmd="segue__subcmd__memory__subcmd__import"
                ;;
            segue__subcmd__memory,list)
                cmd="segue__subcmd__memory__subcmd__list"
                ;;
            segue__subcmd__memory,migrate)
                cmd="segue__subcmd__memory__subcmd__migrate"
                ;;
            segue__subcmd__memory,seed)
                cmd="segue__subcmd__memory__subcmd__seed"
                ;;
            segue__subcmd__memory,show)
                cmd="segue__subcmd__memory__subcmd__show"
                ;;
            segue__subcmd__memory__subcmd__help,check)
                cmd="segue__subcmd__memory__subcmd__help__subcmd__check"
                ;;
            segue__subcmd__memory__subcmd__help,edit)
                cmd="segue__subcmd__memory__subcmd__help__subcmd__edit"
                ;;
            segue__subcmd__memory__subcmd__help,export)
                cmd="segue__subcmd__memory__subcmd__help__subcmd__export"
                ;;
            segue__subcmd__memory__subcmd__help,help)
                cmd="segue__subcmd__memory__subcmd__help__subcmd__help"
                ;;
            segue__subcmd__memory__subcmd__help,import)
                cmd="segue__subcmd__memory__subcmd__help__subcmd__import"
                ;;
            segue__subcmd__memory__subcmd__help,list)
                cmd="segue__subcmd__memory__subcmd__help__subcmd__list"
                ;;
            segue__subcmd__memory__subcmd__help,migrate)
                cmd="segue__subcmd__memory__subcmd__help__subcmd__migrate"
                ;;
            segue__subcmd__memory__subcmd__help,seed)
                cmd="segue__subcmd__memory__subcmd__help__subcmd__seed"
                ;;
            segue__subcmd__memory__subcmd__help,show)
                cmd="segue__subcmd__memory__subcmd__help__subcmd__show"
                ;;
            *)
                ;;
        esac
    done

    case "${cmd}" in
        segue)
            opts="-v -q -h -V --verbose --quiet --strict --help --version list pack sync show status frame search span diff export convert check memory doctor templates schema completions man help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 1 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__check)
            opts="-v -q -h --verbose --quiet --strict --harness --project --as --json --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --harness)
                    COMPREPLY=($(compgen -W "claude codex gemini" -- "${cur}"))
                    return 0
                    ;;
                --project)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --as)
                    COMPREPLY=($(compgen -W "claude codex gemini" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__completions)
            opts="-v -q -h --verbose --quiet --strict --help bash elvish fish powershell zsh"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__convert)
            opts="-v -q -o -h --verbose --quiet --strict --harness --project --to --install --out --dry-run --cwd --full-history --max-tokens --redact --report --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --harness)
                    COMPREPLY=($(compgen -W "claude codex gemini" -- "${cur}"))
                    return 0
                    ;;
                --project)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --to)
                    COMPREPLY=($(compgen -W "claude codex gemini" -- "${cur}"))
                    return 0
                    ;;
                --out)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -o)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --cwd)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-tokens)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --report)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__diff)
            opts="-v -q -h --verbose --quiet --strict --from --to --harness --project --no-redact --allow --json --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --to)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --harness)
                    COMPREPLY=($(compgen -W "claude codex gemini" -- "${cur}"))
                    return 0
                    ;;
                --project)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --allow)
                    COMPREPLY=($(compgen -W "prompt_injection disregard_rules sys_prompt_override bypass_restrictions deception_hide comment_injection translate_execute remove_filters reveal_prompt send_secrets ssh_backdoor forced_report send_key read_secrets role_hijack role_pretend fake_update identity_override share_context hidden_element remote_control unset_agent ssh_access agent_config_mod model_token send_to_url home_env soul_mod node_registration heartbeat task_pull join_network only_one_liners never_on_disk attack_framework hardcoded_secret hidden_tags hidden_bytes reversed_text hidden_mark host_tag" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__doctor)
            opts="-v -q -h --verbose --quiet --strict --harness --project --json --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --harness)
                    COMPREPLY=($(compgen -W "claude codex gemini" -- "${cur}"))
                    return 0
                    ;;
                --project)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__export)
            opts="-v -q -o -h --verbose --quiet --strict --harness --project --view --to --raw --redact --out --all --out-dir --atif-version --blobs --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --harness)
                    COMPREPLY=($(compgen -W "claude codex gemini" -- "${cur}"))
                    return 0
                    ;;
                --project)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --view)
                    COMPREPLY=($(compgen -W "live full" -- "${cur}"))
                    return 0
                    ;;
                --to)
                    COMPREPLY=($(compgen -W "ndjson json trajectory atif markdown" -- "${cur}"))
                    return 0
                    ;;
                --out)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -o)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --out-dir)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --atif-version)
                    COMPREPLY=($(compgen -W "1.7 1.8" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__frame)
            opts="-v -q -h --verbose --quiet --strict --harness --project --no-redact --allow --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --harness)
                    COMPREPLY=($(compgen -W "claude codex gemini" -- "${cur}"))
                    return 0
                    ;;
                --project)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --allow)
                    COMPREPLY=($(compgen -W "prompt_injection disregard_rules sys_prompt_override bypass_restrictions deception_hide comment_injection translate_execute remove_filters reveal_prompt send_secrets ssh_backdoor forced_report send_key read_secrets role_hijack role_pretend fake_update identity_override share_context hidden_element remote_control unset_agent ssh_access agent_config_mod model_token send_to_url home_env soul_mod node_registration heartbeat task_pull join_network only_one_liners never_on_disk attack_framework hardcoded_secret hidden_tags hidden_bytes reversed_text hidden_mark host_tag" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__help)
            opts="list pack sync show status frame search span diff export convert check memory doctor templates schema completions man help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__help__subcmd__check)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__help__subcmd__completions)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__help__subcmd__convert)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__help__subcmd__diff)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__help__subcmd__doctor)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__help__subcmd__export)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__help__subcmd__frame)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__help__subcmd__help)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__help__subcmd__list)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__help__subcmd__man)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__help__subcmd__memory)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__help__subcmd__pack)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__help__subcmd__schema)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__help__subcmd__search)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__help__subcmd__show)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__help__subcmd__span)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__help__subcmd__status)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__help__subcmd__sync)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__help__subcmd__templates)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__list)
            opts="-v -q -h --verbose --quiet --strict --all --harness --project --since --limit --json --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --harness)
                    COMPREPLY=($(compgen -W "claude codex gemini" -- "${cur}"))
                    return 0
                    ;;
                --project)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --since)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --limit)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__man)
            opts="-v -q -h --verbose --quiet --strict --out-dir --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --out-dir)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__memory)
            opts="-v -q -h --verbose --quiet --strict --help list show export import migrate edit check seed help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__memory__subcmd__check)
            opts="-v -q -h --project --scope --all --json --verbose --quiet --strict --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --project)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --scope)
                    COMPREPLY=($(compgen -W "global project" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__memory__subcmd__edit)
            opts="-v -q -h --match --replace --remove --project --scope --write --no-diff --json --verbose --quiet --strict --help claude codex gemini hermes"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --match)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --replace)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --project)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --scope)
                    COMPREPLY=($(compgen -W "global project" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__memory__subcmd__export)
            opts="-o -v -q -h --project --scope --all --out --no-redact --allow --verbose --quiet --strict --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --project)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --scope)
                    COMPREPLY=($(compgen -W "global project" -- "${cur}"))
                    return 0
                    ;;
                --out)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -o)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --allow)
                    COMPREPLY=($(compgen -W "prompt_injection disregard_rules sys_prompt_override bypass_restrictions deception_hide comment_injection translate_execute remove_filters reveal_prompt send_secrets ssh_backdoor forced_report send_key read_secrets role_hijack role_pretend fake_update identity_override share_context hidden_element remote_control unset_agent ssh_access agent_config_mod model_token send_to_url home_env soul_mod node_registration heartbeat task_pull join_network only_one_liners never_on_disk attack_framework hardcoded_secret hidden_tags hidden_bytes reversed_text hidden_mark host_tag" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__memory__subcmd__help)
            opts="list show export import migrate edit check seed help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__memory__subcmd__help__subcmd__check)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 4 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__memory__subcmd__help__subcmd__edit)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 4 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__memory__subcmd__help__subcmd__export)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 4 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__memory__subcmd__help__subcmd__help)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 4 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__memory__subcmd__help__subcmd__import)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 4 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__memory__subcmd__help__subcmd__list)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 4 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__memory__subcmd__help__subcmd__migrate)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 4 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__memory__subcmd__help__subcmd__seed)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 4 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__memory__subcmd__help__subcmd__show)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 4 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__memory__subcmd__import)
            opts="-v -q -h --to --with --activate --project --scope --write --no-diff --json --no-redact --allow --verbose --quiet --strict --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --to)
                    COMPREPLY=($(compgen -W "claude codex gemini hermes" -- "${cur}"))
                    return 0
                    ;;
                --with)
                    COMPREPLY=($(compgen -W "instructions rules agents sessions skills" -- "${cur}"))
                    return 0
                    ;;
                --project)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --scope)
                    COMPREPLY=($(compgen -W "global project" -- "${cur}"))
                    return 0
                    ;;
                --allow)
                    COMPREPLY=($(compgen -W "prompt_injection disregard_rules sys_prompt_override bypass_restrictions deception_hide comment_injection translate_execute remove_filters reveal_prompt send_secrets ssh_backdoor forced_report send_key read_secrets role_hijack role_pretend fake_update identity_override share_context hidden_element remote_control unset_agent ssh_access agent_config_mod model_token send_to_url home_env soul_mod node_registration heartbeat task_pull join_network only_one_liners never_on_disk attack_framework hardcoded_secret hidden_tags hidden_bytes reversed_text hidden_mark host_tag" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__memory__subcmd__list)
            opts="-v -q -h --project --scope --all --instructions --json --no-redact --allow --verbose --quiet --strict --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --project)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --scope)
                    COMPREPLY=($(compgen -W "global project" -- "${cur}"))
                    return 0
                    ;;
                --allow)
                    COMPREPLY=($(compgen -W "prompt_injection disregard_rules sys_prompt_override bypass_restrictions deception_hide comment_injection translate_execute remove_filters reveal_prompt send_secrets ssh_backdoor forced_report send_key read_secrets role_hijack role_pretend fake_update identity_override share_context hidden_element remote_control unset_agent ssh_access agent_config_mod model_token send_to_url home_env soul_mod node_registration heartbeat task_pull join_network only_one_liners never_on_disk attack_framework hardcoded_secret hidden_tags hidden_bytes reversed_text hidden_mark host_tag" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__memory__subcmd__migrate)
            opts="-v -q -h --from --prune-unused-days --to --with --activate --project --scope --write --no-diff --json --no-redact --allow --verbose --quiet --strict --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --from)
                    COMPREPLY=($(compgen -W "claude codex gemini hermes" -- "${cur}"))
                    return 0
                    ;;
                --prune-unused-days)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --to)
                    COMPREPLY=($(compgen -W "claude codex gemini hermes" -- "${cur}"))
                    return 0
                    ;;
                --with)
                    COMPREPLY=($(compgen -W "instructions rules agents sessions skills" -- "${cur}"))
                    return 0
                    ;;
                --project)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --scope)
                    COMPREPLY=($(compgen -W "global project" -- "${cur}"))
                    return 0
                    ;;
                --allow)
                    COMPREPLY=($(compgen -W "prompt_injection disregard_rules sys_prompt_override bypass_restrictions deception_hide comment_injection translate_execute remove_filters reveal_prompt send_secrets ssh_backdoor forced_report send_key read_secrets role_hijack role_pretend fake_update identity_override share_context hidden_element remote_control unset_agent ssh_access agent_config_mod model_token send_to_url home_env soul_mod node_registration heartbeat task_pull join_network only_one_liners never_on_disk attack_framework hardcoded_secret hidden_tags hidden_bytes reversed_text hidden_mark host_tag" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__memory__subcmd__seed)
            opts="-v -q -h --sessions --project --scope --write --no-diff --json --no-redact --allow --verbose --quiet --strict --help claude codex gemini hermes"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --sessions)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --project)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --scope)
                    COMPREPLY=($(compgen -W "global project" -- "${cur}"))
                    return 0
                    ;;
                --allow)
                    COMPREPLY=($(compgen -W "prompt_injection disregard_rules sys_prompt_override bypass_restrictions deception_hide comment_injection translate_execute remove_filters reveal_prompt send_secrets ssh_backdoor forced_report send_key read_secrets role_hijack role_pretend fake_update identity_override share_context hidden_element remote_control unset_agent ssh_access agent_config_mod model_token send_to_url home_env soul_mod node_registration heartbeat task_pull join_network only_one_liners never_on_disk attack_framework hardcoded_secret hidden_tags hidden_bytes reversed_text hidden_mark host_tag" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__memory__subcmd__show)
            opts="-v -q -h --project --scope --all --no-redact --allow --verbose --quiet --strict --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --project)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --scope)
                    COMPREPLY=($(compgen -W "global project" -- "${cur}"))
                    return 0
                    ;;
                --allow)
                    COMPREPLY=($(compgen -W "prompt_injection disregard_rules sys_prompt_override bypass_restrictions deception_hide comment_injection translate_execute remove_filters reveal_prompt send_secrets ssh_backdoor forced_report send_key read_secrets role_hijack role_pretend fake_update identity_override share_context hidden_element remote_control unset_agent ssh_access agent_config_mod model_token send_to_url home_env soul_mod node_registration heartbeat task_pull join_network only_one_liners never_on_disk attack_framework hardcoded_secret hidden_tags hidden_bytes reversed_text hidden_mark host_tag" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__pack)
            opts="-v -q -o -h --verbose --quiet --strict --harness --project --sessions --since --hint --budget --max-chars --count-as --for --template --as-of --until --focus --no-check --with-memory --weights --no-redact --allow --known-hash --json --explain --out --demo --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --harness)
                    COMPREPLY=($(compgen -W "claude codex gemini" -- "${cur}"))
                    return 0
                    ;;
                --project)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --sessions)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --since)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --hint)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --budget)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-chars)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --count-as)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --for)
                    COMPREPLY=($(compgen -W "plain claude codex gemini" -- "${cur}"))
                    return 0
                    ;;
                --template)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --as-of)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --until)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --focus)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --weights)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --allow)
                    COMPREPLY=($(compgen -W "prompt_injection disregard_rules sys_prompt_override bypass_restrictions deception_hide comment_injection translate_execute remove_filters reveal_prompt send_secrets ssh_backdoor forced_report send_key read_secrets role_hijack role_pretend fake_update identity_override share_context hidden_element remote_control unset_agent ssh_access agent_config_mod model_token send_to_url home_env soul_mod node_registration heartbeat task_pull join_network only_one_liners never_on_disk attack_framework hardcoded_secret hidden_tags hidden_bytes reversed_text hidden_mark host_tag" -- "${cur}"))
                    return 0
                    ;;
                --known-hash)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --out)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -o)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__schema)
            opts="-v -q -h --verbose --quiet --strict --help session pack status frame weights diff conversion check doctor memory memory-plan memory-check"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__search)
            opts="-v -q -h --verbose --quiet --strict --session --harness --project --demo --whole-words --all-items --limit --no-redact --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --session)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --harness)
                    COMPREPLY=($(compgen -W "claude codex gemini" -- "${cur}"))
                    return 0
                    ;;
                --project)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --limit)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__show)
            opts="-v -q -h --verbose --quiet --strict --session --until --harness --project --demo --level --no-redact --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --session)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --until)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --harness)
                    COMPREPLY=($(compgen -W "claude codex gemini" -- "${cur}"))
                    return 0
                    ;;
                --project)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --level)
                    COMPREPLY=($(compgen -W "raw smooth compact tiny" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__span)
            opts="-v -q -h --verbose --quiet --strict --session --harness --project --demo --no-redact --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --session)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --harness)
                    COMPREPLY=($(compgen -W "claude codex gemini" -- "${cur}"))
                    return 0
                    ;;
                --project)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__status)
            opts="-v -q -h --verbose --quiet --strict --harness --project --no-redact --allow --json --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --harness)
                    COMPREPLY=($(compgen -W "claude codex gemini" -- "${cur}"))
                    return 0
                    ;;
                --project)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --allow)
                    COMPREPLY=($(compgen -W "prompt_injection disregard_rules sys_prompt_override bypass_restrictions deception_hide comment_injection translate_execute remove_filters reveal_prompt send_secrets ssh_backdoor forced_report send_key read_secrets role_hijack role_pretend fake_update identity_override share_context hidden_element remote_control unset_agent ssh_access agent_config_mod model_token send_to_url home_env soul_mod node_registration heartbeat task_pull join_network only_one_liners never_on_disk attack_framework hardcoded_secret hidden_tags hidden_bytes reversed_text hidden_mark host_tag" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__sync)
            opts="-v -q -h --verbose --quiet --strict --session --harness --project --sessions --since --hint --budget --max-chars --count-as --for --template --as-of --until --focus --no-check --with-memory --weights --no-redact --allow --check --remove --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --session)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --harness)
                    COMPREPLY=($(compgen -W "claude codex gemini" -- "${cur}"))
                    return 0
                    ;;
                --project)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --sessions)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --since)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --hint)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --budget)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-chars)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --count-as)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --for)
                    COMPREPLY=($(compgen -W "plain claude codex gemini" -- "${cur}"))
                    return 0
                    ;;
                --template)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --as-of)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --until)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --focus)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --weights)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --allow)
                    COMPREPLY=($(compgen -W "prompt_injection disregard_rules sys_prompt_override bypass_restrictions deception_hide comment_injection translate_execute remove_filters reveal_prompt send_secrets ssh_backdoor forced_report send_key read_secrets role_hijack role_pretend fake_update identity_override share_context hidden_element remote_control unset_agent ssh_access agent_config_mod model_token send_to_url home_env soul_mod node_registration heartbeat task_pull join_network only_one_liners never_on_disk attack_framework hardcoded_secret hidden_tags hidden_bytes reversed_text hidden_mark host_tag" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        segue__subcmd__templates)
            opts="-v -q -h --verbose --quiet --strict --help plain claude codex gemini"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
    esac
}

if [[ "${BASH_VERSINFO[0]}" -eq 4 && "${BASH_VERSINFO[1]}" -ge 4 || "${BASH_VERSINFO[0]}" -gt 4 ]]; then
    complete -F _segue -o nosort -o bashdefault -o default segue
else
    complete -F _segue -o bashdefault -o default segue
fi
