package e2e

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// toolCalls are calls of every tool of a toolset, in an order in which each of them succeeds.
func toolCalls(toolset string) []fields {
	call := func(name string, args fields) fields {
		if args == nil { // as clients of the SDK leave them out
			return fields{"name": name}
		}
		return fields{"name": name, "arguments": args}
	}
	with := func(key string, value any, more ...any) fields {
		out := fields{key: value}
		for i := 0; i < len(more); i += 2 {
			out[more[i].(string)] = more[i+1]
		}
		return out
	}
	switch toolset {
	case "specs":
		id, worked := with("id", "007"), with("id", "012")
		return []fields{
			call("chant_spec_list", nil), call("chant_spec_get", id), call("chant_ready", nil), call("chant_status", with("include_activity", true)),
			call("chant_search", with("query", "reader")), call("chant_diagnose", id), call("chant_verify", id), call("chant_lint", nil),
			call("chant_deps", id), call("chant_spec_update", with("id", "007", "output", "Some")),
			call("chant_add", with("description", "New")), call("chant_criterion_check", with("id", "007", "criterion", 1)),
			call("chant_ask", with("prompt", "Which port?")), call("chant_answer", with("text", "8080")),
			call("chant_work_start", with("id", "008", "no_merge", true)), call("chant_work_list", nil), call("chant_queue", nil), call("chant_log", worked),
			call("chant_takeover", worked), call("chant_diagnose", worked), call("chant_finalize", with("id", "013")), call("chant_merge", worked), call("chant_archive", worked),
			call("chant_pause", with("id", "010")), call("chant_resume", with("id", "009")), call("chant_reset", with("id", "010")), call("chant_cancel", with("id", "009")),
			call("chant_watch_start", nil), call("chant_watch_status", nil), call("chant_watch_stop", nil),
		}
	case "review":
		return []fields{
			call("chant_split", with("id", "011", "by_heading", true, "dry_run", true)), call("chant_approve", with("id", "010")),
			call("chant_reject", with("id", "010", "reason", "vague")), call("chant_derive", with("all", true)), call("chant_drift", nil),
			call("chant_plan_accept", nil),
		}
	case "plan":
		return []fields{
			call("chant_plan", with("idea", "Greet", "provider", "planner")), call("chant_plan_show", nil),
			call("chant_plan_revise", with("id", "greet", "request", "Less", "provider", "planner")),
		}
	case "tasks":
		task := with("id", "TEST-1")
		link := func(key string, value any) fields {
			return with(key, value, "kind", "link", "value", "https://example.com")
		}
		sprint := with("sprint_id", 1)
		return []fields{
			call("whoami", nil), call("task_create", with("title", "New", "project", "TEST")), call("task_get", task),
			call("task_update", with("id", "TEST-1", "patch", with("priority", "high"))), call("task_comment_add", with("id", "TEST-1", "text", "first")),
			call("task_comment_update", with("id", "TEST-1", "index", 0, "text", "second")),
			call("task_bulk_update", with("ids", []string{"TEST-1"}, "patch", with("priority", "low"))),
			call("task_bulk_comment_add", with("ids", []string{"TEST-1"}, "text", "third")), call("task_reference_add", link("id", "TEST-1")),
			call("task_reference_remove", link("id", "TEST-1")), call("task_bulk_reference_add", link("ids", []string{"TEST-1"})),
			call("task_bulk_reference_remove", link("ids", []string{"TEST-1"})), call("task_list", nil), call("sprint_create", with("label", "One")),
			call("sprint_list", nil), call("sprint_get", sprint), call("sprint_update", with("sprint_id", 1, "goal", "Ship")),
			call("sprint_add", with("sprint_id", 1, "tasks", []string{"TEST-1"})), call("sprint_summary", sprint), call("sprint_burndown", sprint),
			call("sprint_velocity", nil), call("sprint_backlog", nil), call("sprint_remove", with("sprint_id", 1, "tasks", []string{"TEST-1"})),
			call("sprint_delete", sprint), call("project_list", nil), call("project_stats", with("name", "TEST")), call("config_show", nil),
			call("config_set", with("values", with("default_priority", "High"), "global", true)), call("schema_discover", nil), call("task_delete", task),
		}
	case "commands":
		command := with("agent", "climpt", "c1", "git", "c2", "group-commit", "c3", "unstaged-changes")
		return []fields{
			call("search", with("query", "work on a spec")), call("describe", command), call("execute", command), call("reload", nil),
		}
	case "code":
		return []fields{
			call("index_codebase", with("path", ".")), call("index_codebase", with("path", ".", "async", true)), call("check_indexing_status", with("task_id", "the last one")), call("search_code", with("query", "greet")),
			call("search_docs", with("query", "reader")), call("code_research", with("query", "what calls Greet")),
		}
	}
	return []fields{
		call("rstn_get_app_state", nil), call("rstn_report_status", with("status", "completed")), call("rstn_read_spec", with("artifact", "tasks")),
		call("rstn_get_context", nil), call("rstn_complete_task", with("task_id", "T001")), call("rstn_run_hook", with("hook_name", "lint")),
	}
}

// TestMCP_everyTool: a client that validates replies gets one that its schema allows, and no refusal, from every tool of
// every toolset.
func TestMCP_everyTool(t *testing.T) {
	t.Parallel()
	node, modules := npmPackage(t, "@modelcontextprotocol/sdk")
	script := npmScript(t, modules, "everytool.mjs")
	for _, toolset := range []string{"specs", "review", "plan", "tasks", "commands", "code", "feature"} {
		t.Run(toolset, func(t *testing.T) {
			t.Parallel()
			p := everyToolProject(t)
			if toolset == "review" {
				p.chant("plan", "Greet", "--provider", "planner")
			}
			calls, err := json.Marshal(toolCalls(toolset))
			assert.NoError(t, err)
			r := execute(t, p.dir, p.env, node, script, string(calls), chantBinary(t), "mcp", "--toolsets", toolset)
			var got struct {
				Tools   []string
				Replies []struct{ Tool, Refused, Thrown string }
			}
			assert.NoError(t, json.Unmarshal([]byte(r.out), &got), "exit %d, %s %s", r.code, r.out, r.stderr)
			for _, reply := range got.Replies {
				assert.Equal(t, "", reply.Thrown, "%s", reply.Tool)
				assert.Equal(t, "", reply.Refused, "%s", reply.Tool)
				got.Tools = slices.DeleteFunc(got.Tools, func(name string) bool { return name == reply.Tool })
			}
			assert.Zero(t, got.Tools, "never called: %q", got.Tools)
		})
	}
}

// everyToolProject has what the calls of toolCalls need.
func everyToolProject(t *testing.T) *project {
	t.Helper()
	p := newMCPProject(t)
	p.addFeature("060-mcp-server-infrastructure")
	p.write("greet.go", "package greet\n\n// Greet greets the reader.\nfunc Greet() {}\n\nfunc main() { Greet() }\n")
	p.write("README.md", "# Greeting\n\nIt greets the reader.\n")
	p.write(".chant/config.md", "---\ndefaults: {provider: shell}\ntasks: {project: TEST}\n---\n")
	const script = "---\nstatus: pending\n---\n# Write\n\n## Script\n\n```sh\necho done > $CHANT_SPEC_ID && git add . && git commit -qm written\n```\n"
	p.write(".chant/specs/2026-01-03-008-run.md", script)
	p.write(".chant/specs/2026-01-03-012-run.md", script)
	p.write(".chant/specs/2026-01-03-009-bad.md", "---\nstatus: failed\n---\n# Fail\n")
	p.write(".chant/specs/2026-01-03-011-two.md", "---\nstatus: pending\n---\n# Two\n\n## First\n\n- one\n\n## Second\n\n- two\n")
	p.write(".chant/specs/2026-01-03-010-on.md", "---\nstatus: in_progress\n---\n# Go on\n")
	p.write(".chant/specs/2026-01-03-013-on.md", "---\nstatus: in_progress\n---\n# Nearly done\n")
	p.write(".chant/providers/planner.md", "---\ncommand: echo\nargs: ['{\"specs\": [{\"title\": \"Write it\", \"criteria\": [{\"text\": \"it greets\", \"command\": \"test -f greeting\"}]}]}']\nprompt: stdin\nevents: lines\n---\n")
	p.git("add", ".")
	p.git("commit", "-q", "-m", "all")
	p.chant("work", "012", "--no-merge", "--quiet")
	return p
}
