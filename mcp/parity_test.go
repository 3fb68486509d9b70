package mcp_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"chant/mcp"

	"github.com/alecthomas/assert/v2"
)

// sameThing is what can be done by a tool and by a command.
type sameThing struct {
	tool  string
	args  map[string]any
	chant string
	setUp func(place) // may be nil
}

func sameThings() []sameThing {
	worked := func(p place) { p.chant("work", "001", "--no-merge", "--quiet") }
	logged := func(p place) {
		p.write(".chant/logs/2026-01-01-001-aaa.log", "2026-01-02T10:00:00Z one\n2026-01-02T10:00:01Z two\n")
	}
	derives := func(p place) {
		p.write(".chant/config.md", "---\ndefaults: {provider: shell}\nenterprise: {derived: {day: {from: path, pattern: '(\\d+)-[a-z]+.md$'}, who: {from: git_user, pattern: name}}}\n---\n")
	}
	templates := func(p place) {
		p.write(".chant/templates/t.md", "---\nvariables:\n- {name: a, required: true}\n- {name: b}\n---\n# Do {{a}} {{b}}\n")
	}
	drifted := func(p place) {
		p.chant("work", "001", "--quiet")
		p.write("a.go", "package a\n")
		p.git("add", "a.go")
		p.git("commit", "-q", "-m", "a")
	}
	id := func(n string) map[string]any { return map[string]any{"id": n} }
	return []sameThing{
		{"chant_spec_list", nil, "list --limit 50", nil},
		{"chant_spec_list", map[string]any{"status": "failed", "limit": 1}, "list --status failed --limit 1", nil},
		{"chant_ready", nil, "ready --limit 50", nil},
		{"chant_status", nil, "status", worked},
		{"chant_status", map[string]any{"brief": true, "include_activity": true}, "status --brief --activity", nil},
		{"chant_log", id("001"), "log 001", logged},
		{"chant_log", map[string]any{"id": "001", "lines": 1, "since": "2026-01-02T09:00:00Z"}, "log 001 -n 1 --since 2026-01-02T09:00:00Z", logged},
		{"chant_search", map[string]any{"query": "so first"}, "search so first --limit 50", nil},
		{"chant_search", map[string]any{"query": "irs", "limit": 1}, "search irs --limit 1", nil},
		{"chant_search", map[string]any{"query": "frist", "status": "pending"}, "search frist --status pending --limit 50", nil},
		{"chant_diagnose", id("001"), "diagnose 001", worked},
		{"chant_verify", map[string]any{"id": "001", "run": true}, "verify 001", nil},
		{"chant_spec_update", map[string]any{"id": "002", "output": "Some", "labels": []string{"x"}, "model": "m"}, "update 002 --output Some --label x --model m", nil},
		{"chant_add", map[string]any{"description": "New", "labels": []string{"a", "b"}, "criteria": []string{"C"}}, "add New --label a,b --criterion C", nil},
		{"chant_add", map[string]any{"description": "New", "template": "t", "vars": map[string]any{"a": "x"}}, "add New --template t --var a=x", templates},
		{"chant_finalize", id("005"), "finalize 005", nil},
		{"chant_resume", id("003"), "reset 003", nil},
		{"chant_reset", id("003"), "reset 003", nil},
		{"chant_cancel", id("001"), "cancel 001", nil},
		{"chant_archive", id("004"), "archive 004", nil},
		{"chant_lint", nil, "lint", nil},
		{"chant_lint", id("002"), "lint 002", nil},
		{"chant_lint", map[string]any{"limit": 1}, "lint --limit 1", nil},
		{"chant_work_start", map[string]any{"id": "001", "no_merge": true}, "work 001 --detach --no-merge", nil},
		{"chant_work_list", nil, "work list", nil},
		{"chant_work_list", map[string]any{"process_id": "2026-01-01-001-aaa-77", "include_completed": true}, "work list 001 --completed", worked},
		{"chant_pause", id("002"), "pause 002", nil},
		{"chant_takeover", id("001"), "takeover 001", worked},
		{"chant_watch_status", nil, "watch status", nil},
		{"chant_watch_start", map[string]any{"parallel": 2}, "watch start --parallel 2", nil},
		{"chant_watch_stop", nil, "watch stop", func(p place) { p.chant("watch", "start") }},
		{"chant_criterion_check", map[string]any{"id": "002", "criterion": "1"}, "check 002 1", nil},
		{"chant_criterion_check", map[string]any{"id": "002", "criterion": 1}, "check 002 1", nil},
		{"chant_criterion_check", map[string]any{"id": "002", "criterion": "2", "uncheck": true}, "check 002 2 --uncheck", nil},
		{"chant_merge", id("001"), "merge 001", worked},
		{"chant_queue", nil, "queue", worked},
		{"chant_deps", id("001"), "deps 001", nil},
		{"chant_deps", map[string]any{"id": "001", "limit": 1}, "deps 001 --limit 1", nil},
		{"chant_ask", map[string]any{"prompt": "Which port?"}, "ask Which port?", nil},
		{"chant_answer", map[string]any{"text": "8080"}, "answer 8080", func(p place) { p.chant("ask", "Which port?") }},
		{"chant_answer", map[string]any{"id": "main", "text": "8080", "question": 2}, "answer main 8080 --question 2", func(p place) {
			p.chant("ask", "Which port?")
			p.chant("ask", "Which host?")
		}},
		{"chant_split", map[string]any{"id": "006", "by_heading": true, "recursive": true, "max_depth": 3}, "split 006 --by-heading --recursive --max-depth 3", sections},
		{"chant_split", map[string]any{"id": "006", "by_heading": true, "dry_run": true}, "split 006 --by-heading --dry-run", sections},
		{"chant_derive", map[string]any{"all": true}, "derive --all", derives},
		{"chant_derive", map[string]any{"id": "001", "dry_run": true}, "derive 001 --dry-run", derives},
		{"chant_approve", id("001"), "approve 001", nil},
		{"chant_approve", map[string]any{"id": "001", "by": "ada@example.com"}, "approve 001 --by ada@example.com", worked},
		{"chant_reject", map[string]any{"id": "001", "reason": "vague"}, "reject 001 --reason vague", worked},
		{"chant_reject", map[string]any{"id": "002", "reason": "vague", "action": "group", "by": "Ada"}, "reject 002 --reason vague --action group --by Ada", nil},
		{"chant_drift", nil, "drift", drifted},
		{"chant_drift", map[string]any{"ids": []string{"001"}, "at": "HEAD~1", "limit": 1}, "drift 001 --at HEAD~1 --limit 1", drifted},
	}
}

// sections adds a spec that can be split.
func sections(p place) {
	p.write(".chant/specs/2026-01-01-006-fff.md", "---\nstatus: pending\n---\n# Two\n\n## First\n\n- one\n\n## Second\n\n- two\n")
	p.git("add", ".")
	p.git("commit", "-q", "-m", "two")
}

// TestParity does the same thing by a command and by a tool, each in a project of
// its own, and compares what they tell.
func TestParity(t *testing.T) {
	t.Parallel()
	chant := program(t)
	for i, tt := range slices.Concat(sameThings(), sameCommands(), sameCode(), sameFeature(), samePlans()) {
		t.Run(fmt.Sprint(i, " ", tt.tool), func(t *testing.T) {
			t.Parallel()
			one, two := newPlace(t), newPlace(t)
			one.program, two.program = chant, chant
			if tt.tool == "chant_work_start" {
				defer one.awaitRun("001")
				defer two.awaitRun("001")
			}
			if strings.HasPrefix(tt.tool, "chant_watch_") {
				defer one.endWatch()
				defer two.endWatch()
			}
			if tt.setUp != nil {
				tt.setUp(one)
				tt.setUp(two)
			}
			out, errs, _ := one.run(strings.NewReader(""), append(strings.Fields(tt.chant), "--json")...)
			assert.NotEqual(t, "", out, "chant %s prints nothing: %s", tt.chant, errs)
			want := one.plain(parse(t, out))
			structured, text, isError := two.call(tt.tool, tt.args)
			assert.False(t, isError, "refused: %s", text)
			got := two.plain(structured)
			assert.Equal(t, want, got)
		})
	}
}

// TestParity_everyTool finds tools that are compared with no command.
func TestParity_everyTool(t *testing.T) {
	t.Parallel()
	compared := map[string]bool{"chant_spec_get": true} // by TestParity_get
	for _, name := range withoutCommand() {
		compared[name] = true
	}
	for _, each := range append(sameTasks(), sameSprints()...) {
		compared[each.tool] = true
	}
	for _, each := range slices.Concat(sameThings(), sameCommands(), sameCode(), sameFeature(), samePlans()) {
		compared[each.tool] = true
	}
	var want, served []string
	for _, set := range mcp.Toolsets() {
		for _, tool := range set.Tools {
			want = append(want, tool)
			assert.True(t, compared[tool], "%s of the toolset %q has no row in sameThings", tool, set.Name)
		}
	}
	out, errs, _ := newPlace(t).run(strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`), "mcp", "--toolsets", everyToolset())
	var reply struct {
		Result struct{ Tools []struct{ Name string } }
	}
	assert.NoError(t, json.Unmarshal([]byte(out), &reply), "reply %q: %s", out, errs)
	assert.NotEqual(t, 0, len(reply.Result.Tools), "reply %q: %s", out, errs)
	for _, tool := range reply.Result.Tools {
		served = append(served, tool.Name)
	}
	assert.Equal(t, want, served)
}

// TestParity_get compares the one reply that is a view: flat, without the path and
// without what other specs, earlier attempts and notes have to say.
func TestParity_get(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.chant("work", "001", "--no-merge", "--quiet")
	for _, id := range []string{"001", "002", "003", "004"} {
		want := parse(t, p.chant("show", id, "--json")).(map[string]any)
		for k, v := range want["fields"].(map[string]any) {
			want[k] = v
		}
		for _, left := range []string{"fields", "path", "waits", "attempts", "usage", "evidence"} {
			delete(want, left)
		}
		if list := want["criteria"].([]any); len(list) == 0 {
			delete(want, "criteria")
		}
		want["body"] = strings.TrimLeft(want["body"].(string), "\n")
		got, text, _ := p.call("chant_spec_get", map[string]any{"id": id})
		assert.Equal(t, any(want), got, "got %v %s", want, text)
	}
}

// TestParity_errors compares what is refused. Where a tool offers the next step, a tool names its call.
func TestParity_errors(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	for tool, tt := range map[string]struct {
		args  map[string]any
		chant string
		next  string // the call that the tool names where the command names a command; "" where both name the command
	}{
		"chant_spec_get":        {map[string]any{"id": "999"}, "show 999", `chant_spec_list`},
		"chant_archive":         {map[string]any{"id": "001"}, "archive 001", `chant_spec_get with {"id":"2026-01-01-001-aaa"}`},
		"chant_finalize":        {map[string]any{"id": "004"}, "finalize 004", `chant_spec_get with {"id":"2026-01-01-004-ddd"}`},
		"chant_cancel":          {map[string]any{"id": "004"}, "cancel 004", `chant_spec_get with {"id":"2026-01-01-004-ddd"}`},
		"chant_merge":           {map[string]any{"id": "001"}, "merge 001", `chant_work_start with {"id":"2026-01-01-001-aaa"}`},
		"chant_takeover":        {map[string]any{"id": "001"}, "takeover 001", `chant_work_start with {"id":"2026-01-01-001-aaa"}`},
		"chant_criterion_check": {map[string]any{"id": "001", "criterion": "1"}, "check 001 1", `chant_verify with {"id":"2026-01-01-001-aaa"}`},
		"chant_log":             {map[string]any{"id": "001"}, "log 001", `chant_work_start with {"id":"2026-01-01-001-aaa"}`},
		"chant_drift":           {map[string]any{"ids": []string{"003"}}, "drift 003", `chant_spec_get with {"id":"2026-01-01-003-ccc"}`},
		"chant_work_start":      {map[string]any{"id": "004"}, "work 004 --detach", ""},
		"chant_approve":         {map[string]any{"id": "001", "by": "Nobody"}, "approve 001 --by Nobody", ""},
		"chant_split":           {map[string]any{"id": "003", "by_heading": true}, "split 003 --by-heading", `chant_split with {"force":true,"id":"2026-01-01-003-ccc"}`},
		"chant_reject":          {map[string]any{"id": "004", "reason": "late"}, "reject 004 --reason late", `chant_spec_get with {"id":"2026-01-01-004-ddd"}`},
	} {
		_, errs, code := p.run(strings.NewReader(""), append(strings.Fields(tt.chant), "--json")...)
		if code == 0 {
			t.Errorf("chant %s is done", tt.chant)
			continue
		}
		want := parse(t, errs).(map[string]any)["error"].(map[string]any)
		text := want["message"].(string)
		if hint, ok := want["hint"]; ok && tt.next == "" {
			text += "\nhint: " + hint.(string)
		} else if tt.next != "" {
			text += "\nnext: call " + tt.next
		}
		if want["code"] == "internal" {
			t.Logf("%s: %s", tt.chant, text)
			continue
		}
		_, got, isError := p.call(tool, tt.args)
		assert.True(t, isError, "%s: got %q, want %q", tool, got, text)
		assert.Equal(t, text, got, "%s", tool)
	}
}
