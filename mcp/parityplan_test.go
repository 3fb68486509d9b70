package mcp_test

// samePlans is what can be done with plans by a tool and by a command.
func samePlans() []sameThing {
	planner := func(p place) {
		p.write(".chant/providers/planner.md", "---\ncommand: sh\nargs: [-c, 'cat > /dev/null; cat .chant/answer']\nprompt: stdin\nevents: lines\n---\n")
		p.write(".chant/answer", `{"title": "Greet", "questions": [{"question": "Which language?", "proposed": "English"}],
"specs": [{"title": "Write it", "estimate": "2h", "criteria": [{"text": "it greets", "command": "test -f greeting"}]}]}`)
		p.git("add", ".")
		p.git("commit", "-q", "-m", "planner")
	}
	planned := func(p place) {
		planner(p)
		p.chant("plan", "Greet", "--provider", "planner")
	}
	accepted := func(p place) {
		planned(p)
		p.chant("plan", "accept")
	}
	return []sameThing{
		{"chant_plan", map[string]any{"idea": "Greet people", "provider": "planner"}, "plan Greet people --provider planner", planner},
		{"chant_plan_show", nil, "plan show", planned},
		{"chant_plan_show", map[string]any{"id": "greet"}, "plan show greet", accepted},
		{"chant_plan_revise", map[string]any{"id": "greet", "request": "Less", "provider": "planner"}, "plan revise greet Less --provider planner", planned},
		{"chant_plan_accept", nil, "plan accept", planned},
		{"chant_status", nil, "status", accepted},
	}
}
