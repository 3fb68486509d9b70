package mcp_test

// sameCommands is what can be done with prompts by a tool and by a command.
func sameCommands() []sameThing {
	registry := func(p place) {
		p.write(".agent/climpt/registry.json", `{"version": "1.0.0", "description": "", "tools": {"commands": [
			{"c1": "git", "c2": "group-commit", "c3": "all-changes", "description": "Group changes and commit", "options": {"stdin": true}, "uv": [{"scope": "Folder"}]},
			{"c1": "git", "c2": "merge-up", "c3": "base-branch", "description": "Merge into the parent"},
			{"c1": "git", "c2": "merge-up", "c3": "base-branch", "description": "Merge, in detail"}
		]}}`)
		p.write(".agent/climpt/prompts/git/group-commit/all-changes/f_default.md", "Commit {uv-scope}, {uv-other}, {destination_path} of {uv-spec_id}.\n")
		p.write(".agent/climpt/prompts/git/group-commit/all-changes/f_short.md", "Commit.\n")
		p.write(".agent/scout/prompts/steps/plan/next/f_default.md", "---\nc1: steps\nc2: plan\nc3: next\ntitle: Plan\n---\nPlan.\n")
	}
	word := func(c1, c2, c3 string, more ...any) map[string]any {
		args := map[string]any{"c1": c1, "c2": c2, "c3": c3}
		for i := 0; i < len(more); i += 2 {
			args[more[i].(string)] = more[i+1]
		}
		return args
	}
	group := func(options any) map[string]any {
		return word("git", "group-commit", "all-changes", "agent", "climpt", "options", options)
	}
	const run = "command run git group-commit all-changes "
	return []sameThing{
		{"climpt_search", map[string]any{"query": "commit changes"}, "command search commit changes", registry},
		{"climpt_search", map[string]any{"query": "plan", "agent": "scout", "limit": 1}, "command search plan --agent scout --limit 1", registry},
		{"climpt_search", map[string]any{"query": "qqqq"}, "command search qqqq", registry},
		{"climpt_describe", word("git", "group-commit", "all-changes"), "command show git group-commit all-changes", registry},
		{"climpt_describe", word("git", "merge-up", "base-branch", "agent", "climpt"), "command show git/merge-up/base-branch", registry},
		{"climpt_describe", word("steps", "plan", "next", "agent", "scout"), "command show steps plan next --agent scout", registry},
		{"climpt_execute", group(map[string]any{}), run, registry},
		{"climpt_execute", group([]string{"--uv-scope=a=b", "-o=x.md"}), run + "--uv scope=a=b -o x.md", registry},
		{"climpt_execute", group("--edition short"), run + "--edition short", registry},
		{"climpt_execute", group(map[string]any{"spec": "001", "uv": map[string]any{"scope": "a"}}), run + "--spec 001 --uv scope=a", registry},
		{"climpt_execute", word("spec", "work", "standard", "agent", "climpt"), "command run spec work standard", nil},
	}
}
