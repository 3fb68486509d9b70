package providers

import "strings"

// describesParent reports whether a variable describes the process that chant was
// started from instead of a wish of the user: the session of an agent CLI, the
// repository of a git hook, or an outer run of chant. An agent that inherits
// it believes that it is nested, joins a foreign session, or commits to the
// wrong repository.
//
// Settings and credentials of the same families stay, for instance
// CLAUDE_CODE_MAX_RETRIES, CLAUDE_CODE_USE_BEDROCK, CLAUDE_CODE_OAUTH_TOKEN,
// CLAUDE_CONFIG_DIR, GEMINI_CLI_HOME, GEMINI_CLI_TRUST_WORKSPACE,
// OPENCODE_CONFIG, OPENCODE_PERMISSION and COPILOT_PROVIDER_API_KEY. So does
// CODEX_SANDBOX: a sandbox around chant is around its agents too.
func describesParent(key string) bool {
	switch strings.ToUpper(key) {
	case // An outer run of chant; the run's own values are set afterwards.
		RunIDKey, LineageKey, "CHANT_PROMPT":
		return true
	case // Claude Code: set for its shells, hooks and MCP servers.
		"CLAUDECODE", "CLAUDE_PID", "CLAUDE_EFFORT", "CLAUDE_PROJECT_DIR",
		"CLAUDE_ENV_FILE", "CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA",
		"CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_EXECPATH", "CLAUDE_CODE_SSE_PORT",
		"CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_SESSION_KIND",
		"CLAUDE_CODE_SESSION_NAME", "CLAUDE_CODE_SESSION_ORIGIN",
		"CLAUDE_CODE_SESSION_ATTENDED", "CLAUDE_CODE_SESSION_BEGAN_AS_COPY",
		"CLAUDE_CODE_SESSION_CREATED_AT_MS", "CLAUDE_CODE_CHILD_SESSION",
		"CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS", "CLAUDE_CODE_TASK_LIST_ID",
		"CLAUDE_CODE_MESSAGING_SOCKET", "CLAUDE_CODE_TMUX_SESSION",
		"CLAUDE_CODE_RESUME_PROMPT", "CLAUDE_CODE_RESUME_REASON",
		"CLAUDE_CODE_RESUME_INTERRUPTED_TURN", "CLAUDE_CODE_AGENT",
		"AI_AGENT":
		return true
	case // Gemini and its fork Qwen; the worker inherits NO_RELAUNCH.
		"GEMINI_CLI", "GEMINI_CLI_NO_RELAUNCH", "GEMINI_CLI_IDE_SERVER_PORT",
		"GEMINI_CLI_IDE_WORKSPACE_PATH", "GEMINI_CLI_IDE_AUTH_TOKEN", "GEMINI_CLI_IDE_PID",
		"QWEN_CODE", "QWEN_CODE_NO_RELAUNCH", "QWEN_CODE_SESSION_ID",
		"QWEN_CODE_IDE_SERVER_PORT", "QWEN_CODE_IDE_WORKSPACE_PATH":
		return true
	case // The other CLIs.
		"OPENCODE", "OPENCODE_PID", "OPENCODE_PROCESS_ROLE", "OPENCODE_RUN_ID",
		"OPENCODE_CALLER", "OPENCODE_CLIENT", "OPENCODE_SESSION_ID",
		"COPILOT_AGENT_SESSION_ID", "COPILOT_CLI", "COPILOT_LOADER_PID", "COPILOT_RUN_APP",
		"CODEX_THREAD_ID", "CODEX_CI", "AMP_THREAD_ID", "AMP_CURRENT_THREAD_ID",
		"CURSOR_AGENT", "CURSOR_TRACE_ID", "GOOSE_TERMINAL":
		return true
	case // Git, as `git rev-parse --local-env-vars` lists it: set inside hooks.
		"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX",
		"GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE",
		"GIT_GRAFT_FILE", "GIT_SHALLOW_FILE", "GIT_REPLACE_REF_BASE", "GIT_NO_REPLACE_OBJECTS",
		"GIT_IMPLICIT_WORK_TREE", "GIT_INTERNAL_SUPER_PREFIX", "GIT_QUARANTINE_PATH":
		return true
	}
	return false
}
