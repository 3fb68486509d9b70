package mcp_test

// sameFeature is what can be done with the feature of a worktree by a tool and by a command.
func sameFeature() []sameThing {
	const dir = "specs/060-mcp-server-infrastructure/"
	files := func(p place) {
		p.git("checkout", "-q", "-b", "060-mcp-server-infrastructure")
		p.write(dir+"spec.md", "# Feature Specification: MCP server\n")
		p.write(dir+"plan.md", "# Plan\n")
		p.write(dir+"tasks.md", "# Tasks\n\n## Phase 1: Setup\n\n- [x] T001 Make it\n- [ ] T002 Test it\n- [ ] T003 Ship it\n")
		p.write(".rstn/hooks.yaml", "hooks:\n  lint: {command: \"echo fine; exit 3\"}\n  test: {command: \"echo passed\", timeout_secs: 300}\n")
	}
	task := func(id string, more ...any) map[string]any {
		args := map[string]any{"task_id": id}
		if len(more) > 0 {
			args["skip_validation"] = more[0]
		}
		return args
	}
	report := func(status string) map[string]any { return map[string]any{"status": status} }
	return []sameThing{
		{"rstn_get_app_state", nil, "feature state", files},
		{"rstn_get_app_state", nil, "feature state", nil},
		{"rstn_report_status", report("needs_input"), "feature report needs_input", files},
		{"rstn_report_status", report("completed"), "feature report completed", nil},
		{"rstn_report_status", map[string]any{"status": "error", "message": "gone"}, "feature report error --message gone", nil},
		{"rstn_read_spec", map[string]any{"artifact": "tasks"}, "feature read tasks", files},
		{"rstn_get_context", nil, "feature", files},
		{"rstn_get_context", nil, "feature", nil},
		{"rstn_complete_task", task("T002"), "feature done T002", files},
		{"rstn_complete_task", task("t003", true), "feature done t003 --skip-validation", files},
		{"rstn_complete_task", task("T001"), "feature done T001", files},
		{"rstn_run_hook", map[string]any{"hook_name": "test", "args": []string{"x", "$(x)"}}, "hook run test x $(x)", files},
		{"rstn_run_hook", map[string]any{"hook_name": "lint"}, "hook run lint", files},
	}
}
