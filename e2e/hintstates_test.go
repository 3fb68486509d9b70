package e2e

import "strings"

// inProject makes a repository with a project whose specs are worked by their scripts.
const inProject = `
git init -q -b main
git commit -q --allow-empty -m begin
chant init --provider shell > init.out 2>&1 && rm init.out
`

// specFunctions are for the set-up of states. In them § represents a backquote.
var specFunctions = strings.ReplaceAll(`
set -e
ok='it holds §$ true§'
bad='it holds §$ false§'
mended='it is mended §$ test -e mended.txt§'
# spec ID FRONT CRITERION SCRIPT writes a spec and commits it
spec() {
	{
		printf -- '---\nstatus: pending\n%b---\n# %s\n' "$2" "$1"
		if [ -n "$3" ]; then printf '\n## Acceptance Criteria\n\n- [ ] %s\n' "$3"; fi
		if [ -n "$4" ]; then printf '\n## Script\n\n§§§sh\n%s\n§§§\n' "$4"; fi
	} > .chant/specs/$1.md
	git add .chant/specs/$1.md
	git commit -q -m "spec $1"
}
# agent BEHAVIOUR makes the scripted agent the one that works
agent() {
	mkdir -p .chant/providers
	printf -- '---\ncommand: agent.sh\nargs: ["%s", "{{spec_file}}"]\n---\n' "$1" > .chant/providers/fake.md
	printf -- '---\ndefaults: {provider: fake}\nretry: {max_retries: 0}\n---\n' > .chant/config.md
	git add .chant && git commit -q -m agent
}
settings() {
	printf -- '---\ndefaults: {provider: shell}\n%b\n---\n' "$1" > .chant/config.md
	git add .chant && git commit -q -m settings
}
quietly() { "$@" > /dev/null 2>&1 || :; }
`, "§", "`")

// personEdits is the editor of a person who mends what is wrong.
const personEdits = `#!/bin/sh
for file; do :; done
sed -i -e 's/\$ false/$ true/' -e 's/! test -e other.txt/true/' -e 's/exit 3/echo mended > mended.txt/' -e 's/^status: \[$/status: pending/' -e '/^broken: /d' \
	-e 's/: nope$/: shell/' -e 's/provider: nope/provider: shell/' -e 's/^status: whatever$/status: pending/' -e '/^depends_on:.*\(missing\|loop\)/d' \
	-e '/^prompt: missing$/d' -e '/^output_schema:/d' -e '/^limits:/d' -e '/^approval:/,/^[^ ]/{/status: rejected/d}' -e 's/- \[ \] \(.*[^§]\)$/- [x] \1/' "$file"
case $file in *.chant/config.md | *.chant/providers/*) exit 0 ;; esac
grep -q '^## Script' "$file" || printf '\n## Script\n\n~~~sh\necho mended > mended.txt\n~~~\n' >> "$file"
printf '\nMended.\n' >> "$file"
`

// scriptedAgent is an agent that follows a script.
const scriptedAgent = `#!/bin/sh
if grep -q '^Mended' "$2"; then echo mended > agent.txt; exit 0; fi
case $1 in
ok) echo work > agent.txt ;;
fail) exit 3 ;;
nothing) ;;
weaken) sed -i 's/\$ false/$ true/' "$2" ;;
cheat) sed -i 's/\$ false/$ true/' "$2"; echo work > agent.txt ;;
other) for f in .chant/specs/*other.md; do echo more >> "$f"; done; echo work > agent.txt ;;
settings) echo more >> .chant/config.md; echo work > agent.txt ;;
makefile) echo all: > Makefile; echo work > agent.txt ;;
busy) [ ! -e "$HOME/again" ] || { echo work > agent.txt; exit 0; }; touch "$HOME/again"; echo 'API Error: 429 rate limit, retry after 30 minutes' >&2; exit 1 ;;
refused) echo 'wrong key' >&2; exit 1 ;;
conflict) printf 'agent\n' > same.txt ;;
esac
`

// hintStates lists the states.
func hintStates() []hintState {
	a := "2026-01-02-001-abc"
	made := func(front, criterion, script string) string {
		return "spec " + a + " '" + front + "' \"$" + criterion + "\" '" + script + "'\n"
	}
	work := "echo work > work.txt"
	plain := made("", "ok", work)
	failing := made("", "bad", work)
	box := "spec " + a + " '' 'a person agrees' '" + work + "'\n"
	worked := "quietly chant work abc\n"
	conflict := "echo base > same.txt; git add same.txt; git commit -q -m base\n" + made("", "ok", "echo run > same.txt") +
		"chant work abc --no-merge > /dev/null 2>&1\necho mine > same.txt; git commit -qam mine\n"
	by := func(behaviour, criterion string) string { return "agent " + behaviour + "\n" + made("", criterion, "") }
	return []hintState{
		{name: "ready", setup: plain, meets: []string{"merge abc", "finalize abc", "log abc", "takeover abc", "pause abc", "reset abc", "reject abc --reason x"}},
		{name: "failed criterion", setup: failing, meets: []string{"work abc"}},
		{name: "failed script", setup: made("", "ok", "exit 3"), meets: []string{"work abc"}},
		{name: "failed twice", setup: failing + worked + worked, meets: []string{"work abc", "verify abc", "merge abc", "finalize abc"}},
		{name: "failed among many", setup: failing, meets: []string{"work --all"}},
		{name: "open box", setup: box, meets: []string{"work abc", "verify abc"}},
		{name: "nothing to verify", setup: "spec " + a + " '' '' '" + work + "'\n", meets: []string{"verify abc", "work abc"}},
		{name: "nothing to verify, required", setup: "settings 'verify: {require: true}'\nspec " + a + " '' '' '" + work + "'\n", meets: []string{"work abc"}},
		{name: "agent fails", setup: by("fail", "ok"), meets: []string{"work abc"}},
		{name: "agent failed twice", setup: by("fail", "ok") + worked + worked},
		{name: "agent does nothing", setup: by("nothing", "ok"), meets: []string{"work abc"}},
		{name: "agent misses the criterion", setup: by("ok", "bad"), meets: []string{"work abc"}},
		{name: "agent weakens and does no more", setup: by("weaken", "bad"), meets: []string{"work abc"}},
		{name: "agent weakens and works", setup: by("cheat", "bad"), meets: []string{"work abc"}},
		{name: "agent changes another spec", setup: "spec 2026-01-02-002-other '' \"$ok\" ''\n" + by("other", "ok"), meets: []string{"work abc"}},
		{name: "agent changes settings", setup: by("settings", "ok"), meets: []string{"work abc", "merge abc"}},
		{name: "agent changes a protected file", setup: "agent makefile\n" + made(`verify: {protect: [Makefile]}\n`, "ok", ""), meets: []string{"work abc"}},
		{name: "agent meets a limit", open: true, setup: "agent busy\nprintf -- '---\\ndefaults: {provider: fake}\\n---\\n' > .chant/config.md\ngit commit -qam retry\n" + made("", "ok", "") + "timeout -s INT 3 chant work abc > /dev/null 2>&1 || :\n", meets: []string{"merge abc"}},
		{name: "conflict", setup: conflict, meets: []string{"merge abc"}},
		{name: "conflict found by work", setup: "echo base > same.txt; git add same.txt; git commit -q -m base\n" + made("", "ok", "echo run > same.txt; git -C \"$CHANT_PROJECT\" status > /dev/null 2>&1 || :") + "chant work abc --no-merge > /dev/null 2>&1; echo mine > same.txt; git commit -qam mine\n", meets: []string{"work abc", "merge abc"}},
		{name: "conflict that was met", setup: conflict + "quietly chant merge abc\n", meets: []string{"merge abc --rebase", "work abc", "finalize abc"}},
		{name: "conflict without a worktree", setup: conflict + "quietly chant merge abc\ngit worktree remove --force .chant/worktrees/" + a + "\n"},
		{name: "conflict, merge begun", setup: conflict + "quietly chant merge abc\nquietly git -C .chant/worktrees/" + a + " merge main\n", meets: []string{"merge abc", "finalize abc"}},
		{name: "conflict, merged by hand", setup: conflict + "quietly chant merge abc\ncd .chant/worktrees/" + a + "\nquietly git merge main\necho both > same.txt\ngit commit -qam both\ncd ../../..\n", meets: []string{"merge abc"}},
		{name: "edits in the way", setup: plain + "echo mine > work.txt\n", meets: []string{"work abc"}},
		{name: "edits in the way of merge", setup: plain + "chant work abc --no-merge > /dev/null 2>&1\necho mine > work.txt\n", meets: []string{"merge abc"}},
		{name: "merge under way", setup: plain + "chant work abc --no-merge > /dev/null 2>&1\ngit checkout -q -b side\necho s > s.txt; git add s.txt; git commit -q -m side\ngit checkout -q main\necho m > m.txt; git add m.txt; git commit -q -m m\ngit merge -q --no-commit --no-ff side > /dev/null 2>&1\n", meets: []string{"merge abc"}},
		{name: "waits for approval", setup: made(`approval: {required: true}\n`, "ok", work), meets: []string{"work abc", "work --all"}},
		{name: "edited after its approval", setup: made(`approval: {required: true}\n`, "ok", work) + "chant approve abc > /dev/null 2>&1\nsed -i 's/# 2026/# New 2026/' .chant/specs/" + a + ".md\ngit commit -qam edit\n", meets: []string{"work abc"}},
		{name: "edited and not committed", setup: made(`approval: {required: true}\n`, "ok", work) + "echo more >> .chant/specs/" + a + ".md\n", meets: []string{"approve abc"}},
		{name: "edited after its approval and not committed", setup: made(`approval: {required: true}\n`, "ok", work) + "chant approve abc > /dev/null 2>&1\nsed -i 's/# 2026/# New 2026/' .chant/specs/" + a + ".md\n", meets: []string{"work abc", "approve abc"}},
		{name: "edited in the checkout after it failed", setup: failing + worked + "sed -i 's/\\$ false/$ true/' .chant/specs/" + a + ".md\n", meets: []string{"verify abc", "log abc"}},
		{name: "edited in both places", setup: failing + worked + "quietly chant edit abc\nsed -i 's/\\$ false/$ test -e work.txt/' .chant/specs/" + a + ".md\n", meets: []string{"work abc", "finalize abc", "update abc --label x"}},
		{name: "approved, failed and edited in the checkout", setup: made(`approval: {required: true}\n`, "bad", work) + "chant approve abc > /dev/null 2>&1\n" + worked + "sed -i 's/\\$ false/$ true/' .chant/specs/" + a + ".md\n", meets: []string{"work abc", "approve abc"}},
		{name: "rejected", setup: made(`approval: {required: true}\n`, "ok", work) + "chant reject abc --reason unclear > /dev/null 2>&1\n", meets: []string{"work abc"}},
		{name: "rejected after it failed", setup: made(`approval: {required: true}\n`, "bad", work) + "chant approve abc > /dev/null 2>&1\n" + worked + "quietly chant reject abc --reason unclear\n", meets: []string{"work abc"}},
		{name: "its work waits for approval", setup: "agent ok\nprintf -- '---\\ndefaults: {provider: fake}\\napproval: {require_approval_for_agent_work: true}\\n---\\n' > .chant/config.md\ngit commit -qam work\n" + made("", "ok", "") + worked, meets: []string{"merge abc", "work abc"}},
		{name: "blocked by a ready one", setup: plain + "spec 2026-01-02-002-def 'depends_on: [" + a + "]\\n' \"$ok\" 'echo 2 > 2'\n", meets: []string{"work def"}},
		{name: "blocked by a failed one", setup: failing + "spec 2026-01-02-002-def 'depends_on: [" + a + "]\\n' \"$ok\" 'echo 2 > 2'\n" + worked, meets: []string{"work def"}},
		{name: "blocked by a cancelled one", setup: plain + "spec 2026-01-02-002-def 'depends_on: [" + a + "]\\n' \"$ok\" 'echo 2 > 2'\nchant cancel abc > /dev/null 2>&1\n", meets: []string{"work def"}},
		{name: "blocked by itself", setup: made(`depends_on: [`+a+`] # loop\n`, "ok", work), meets: []string{"work abc"}},
		{name: "blocked by none that is there", setup: made(`depends_on: [2026-01-02-009-missing]\n`, "ok", work), meets: []string{"work abc"}},
		{name: "cancelled", setup: plain + "chant cancel abc > /dev/null 2>&1\n", meets: []string{"work abc", "merge abc", "finalize abc", "cancel abc"}},
		{name: "driver with a ready member", setup: "spec 2026-01-02-003-drv 'type: driver\\n' '' ''\nspec 2026-01-02-003-drv.1 '' \"$ok\" 'echo 1 > 1'\n", meets: []string{"finalize drv", "merge drv"}},
		{name: "driver with a gated member", setup: "spec 2026-01-02-003-drv 'type: driver\\n' '' ''\nspec 2026-01-02-003-drv.1 'approval: {required: true}\\n' \"$ok\" 'echo 1 > 1'\n", meets: []string{"work drv", "work drv --dry-run", "work --all"}},
		{name: "driver that is completed", setup: "spec 2026-01-02-003-drv 'type: driver\\n' '' ''\nspec 2026-01-02-003-drv.1 '' \"$ok\" 'echo 1 > 1'\nquietly chant work drv\n", meets: []string{"add --group drv 'one more'", "work drv --dry-run"}},
		{name: "driver with a failed member", setup: "spec 2026-01-02-003-drv 'type: driver\\n' '' ''\nspec 2026-01-02-003-drv.1 '' \"$bad\" 'echo 1 > 1'\nquietly chant work drv\n", meets: []string{"work drv"}},
		{name: "driver with a box", setup: "spec 2026-01-02-003-drv 'type: driver\\n' 'a person agrees' ''\nspec 2026-01-02-003-drv.1 '' \"$ok\" 'echo 1 > 1'\nquietly chant work drv\n", meets: []string{"work drv"}},
		{name: "driver that fails", setup: "spec 2026-01-02-003-drv 'type: driver\\n' \"$mended\" ''\nspec 2026-01-02-003-drv.1 '' \"$ok\" 'echo 1 > 1'\nquietly chant work drv\n", meets: []string{"finalize drv"}},
		{name: "no repository", bare: true, meets: []string{"list", "init", "work 001", "add x"}},
		{name: "no commit", bare: true, setup: "git init -q -b main\n", meets: []string{"list", "init"}},
		{name: "no project", bare: true, setup: "git init -q -b main; git commit -q --allow-empty -m b\n", meets: []string{"list", "status", "work 001", "mcp --tools x", "hooks install", "ci"}},
		{name: "bare repository", bare: true, setup: "git init -q --bare -b main; t=$(git mktree < /dev/null); c=$(git commit-tree $t -m begin < /dev/null); git update-ref refs/heads/main $c\n", meets: []string{"list", "init"}},
		{name: "wrong id", setup: plain, meets: []string{"work nope", "show nope", "log nope", "diagnose nope", "merge nope", "approve nope", "edit nope", "verify nope", "deps nope"}},
		{name: "ambiguous id", setup: plain + "spec 2026-01-02-002-abd '' \"$ok\" ''\n", meets: []string{"work 2026-01-02", "show ab"}},
		{name: "spec that cannot be read", setup: "printf -- '---\\nstatus: [\\n---\\n# A\\n' > .chant/specs/" + a + ".md\n", meets: []string{"work abc", "show abc", "list", "verify abc", "lint"}},
		{name: "unknown status", setup: "printf -- '---\\nstatus: whatever\\n---\\n# A\\n' > .chant/specs/" + a + ".md\n", meets: []string{"work abc", "show abc"}},
		{name: "settings that cannot be read", setup: plain + "printf -- '---\\nlimits: {time: soon}\\nbroken: [\\n---\\n' > .chant/config.md\n", meets: []string{"work abc", "list"}},
		{name: "unknown provider", setup: plain + "printf -- '---\\ndefaults: {provider: nope}\\n---\\n' > .chant/config.md\n", meets: []string{"work abc", "work --all", "work abc --dry-run"}},
		{name: "agent that is not installed", setup: "agent ok\nsed -i s/agent.sh/no-such-agent/ .chant/providers/fake.md\ngit commit -qam gone\n" + made("", "ok", ""), meets: []string{"work abc", "work --all"}},
		{name: "no prompt", setup: made(`prompt: missing\n`, "ok", work), meets: []string{"work abc", "prep abc", "work abc --prompt none"}},
		{name: "index that is locked", setup: plain + "touch .git/index.lock\n", meets: []string{"work abc"}},
		{name: "branch that was deleted", setup: failing + worked + "git worktree remove --force .chant/worktrees/" + a + "\ngit branch -q -D chant/" + a + "\n", meets: []string{"work abc", "merge abc", "log abc"}},
		{name: "worktree that was removed", setup: failing + worked + "rm -rf .chant/worktrees/" + a + "\n", meets: []string{"verify abc", "merge abc", "takeover abc"}},
		{name: "branch of a person", setup: plain + "git branch chant/" + a + "\n", meets: []string{"work abc", "merge abc"}},
		{name: "folder in the worktree's place", setup: plain + "mkdir -p .chant/worktrees/" + a + "\necho mine > .chant/worktrees/" + a + "/mine\n", meets: []string{"work abc"}},
		{name: "target that is gone", setup: plain + "git branch -m main trunk\n", meets: []string{"work abc"}},
		{name: "worked by hand", setup: plain + "sed -i 's/status: pending/status: in_progress/' .chant/specs/" + a + ".md\ngit commit -qam hand\n", meets: []string{"work abc", "finalize abc"}},
		{name: "worked by hand, failing", setup: failing + "sed -i 's/status: pending/status: in_progress/' .chant/specs/" + a + ".md\ngit commit -qam hand\n", meets: []string{"finalize abc"}},
		{name: "not landed", setup: plain + "chant work abc --no-merge > /dev/null 2>&1\n", meets: []string{"work abc", "finalize abc", "archive abc"}},
		{name: "landed", setup: plain + worked, meets: []string{"work abc", "merge abc", "finalize abc", "reset abc", "cancel abc", "pause abc"}},
		{name: "no longer holds", setup: made("", "ok", work) + "sed -i 's/. true/$ test -e work.txt/' .chant/specs/" + a + ".md; git commit -qam c\n" + worked + "git rm -q work.txt; git commit -q -m rm\nquietly chant verify abc\n", meets: []string{"verify abc", "merge abc"}},
		{name: "archived", setup: plain + worked + "chant archive abc > /dev/null 2>&1\n", meets: []string{"work abc", "reset abc", "edit abc"}},
		{name: "breaks on the merged tree", setup: made("", "ok", work) + "sed -i 's/. true/$ ! test -e other.txt/' .chant/specs/" + a + ".md; git commit -qam c\nchant work abc --no-merge > /dev/null 2>&1\necho o > other.txt; git add other.txt; git commit -q -m other\n", meets: []string{"merge abc", "work abc"}},
		{name: "limit of turns", setup: "agent fail\n" + made(`limits: {time: 1s}\n`, "ok", "") + worked, meets: []string{"work abc"}},
		{name: "schema that is not there", setup: made(`output_schema: .chant/schemas/missing.json\n`, "ok", work), meets: []string{"work abc", "lint abc"}},
		{name: "interrupted", open: true, setup: made("", "ok", "[ -e \"$HOME/again\" ] || { touch \"$HOME/again\"; sleep 30; }; echo x > x.txt") + "timeout -s KILL 2 chant work abc > /dev/null 2>&1 || :\n", meets: []string{"merge abc", "finalize abc", "reset abc"}},
		{name: "stopped", open: true, setup: made("", "ok", "[ -e \"$HOME/again\" ] || { touch \"$HOME/again\"; sleep 30; }; echo x > x.txt") + "timeout -s INT 2 chant work abc > /dev/null 2>&1 || :\n", meets: []string{"merge abc"}},
		{name: "nobody to commit as", setup: plain, meets: []string{"check abc 9", "check abc 1"}},
		{name: "wrong flags", setup: plain, meets: []string{"work", "add", "show", "check abc", "search", "nonsense", "work --parallel=x", "split", "list --status x", "verify", "work abc --max 2", "export --format x", "log abc --since x", "init --provider nope", "work abc --provider nope"}},
		{name: "split that cannot be", setup: "spec " + a + " '' \"$ok\" ''\n", meets: []string{"split abc --by-heading", "split abc"}},
		{name: "driver of cancelled members", setup: "spec 2026-01-02-003-drv 'type: driver\\n' '' ''\nspec 2026-01-02-003-drv.1 '' \"$ok\" ''\nquietly chant cancel drv.1\n", meets: []string{"work drv"}},
	}
}
