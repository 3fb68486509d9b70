package providers

import (
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"chant/providers/secret"
)

// RunIDKey marks every process of a run, and LineageKey every process below
// one started process; both are inherited like any variable. Two are needed:
// the first is known to a later process that cleans up, the second keeps two
// commands of one run from ending each other's children.
const (
	RunIDKey   = "CHANT_RUN_ID"
	LineageKey = "CHANT_LINEAGE"

	lineageMark = "." // between the lineages of nested starts
)

// AgentEnv is the environment of an agent: of the base what every program and every
// agent gets, and what pass and the run name, without what belongs to an enclosing agent
// or git process; then what the run says, then what the provider adds, then the caller's
// extras.
func AgentEnv(in Invocation, provider []string, pass ...string) []string {
	var env []string
	known := slices.Concat(Everyday(), working(), pass, in.Pass)
	for _, entry := range in.Environ {
		if key, _, ok := strings.Cut(entry, "="); ok && !enclosing(key) && NameAmong(key, known) && !ours(key) {
			env = append(env, entry)
		}
	}
	env = append(env,
		"CHANT_SPEC_ID="+in.SpecID,
		"CHANT_SPEC_FILE="+in.SpecFile,
		"CHANT_WORKTREE=1",
		"CHANT_WORKTREE_PATH="+in.Worktree,
		"CHANT_BRANCH="+in.Branch,
		"CHANT_PROMPT_FILE="+in.PromptFile,
		"CHANT_ATTEMPT="+strconv.Itoa(in.Attempt),
		"CHANT_TIMEOUT="+strconv.FormatInt(int64(in.Timeout/time.Second), 10),
		"CHANT_PROJECT="+in.Project,
		// Without it git would climb from a broken worktree to the main one.
		"GIT_CEILING_DIRECTORIES="+filepath.Dir(in.Worktree),
		"PWD="+in.Worktree,
	)
	env = append(env, Unattended()...)
	env = append(env, provider...)
	env = append(env, in.Extra...)
	if in.RunID != "" {
		// Last, so that nothing above can take the mark off.
		env = append(env, RunIDKey+"="+in.RunID)
	}
	return lastWins(env)
}

// Unattended are the variables with which programs neither open an editor or a pager nor ask on a terminal: nobody would
// see it, and the program would wait until its time is up.
func Unattended() []string {
	return []string{
		"EDITOR=true", "VISUAL=true", "GIT_EDITOR=true", "GIT_SEQUENCE_EDITOR=true", "GIT_MERGE_AUTOEDIT=no", "GIT_TERMINAL_PROMPT=0",
		"PAGER=cat", "CHANT_PAGER=cat", "GIT_PAGER=cat", "MANPAGER=cat", "GH_PAGER=cat", "SYSTEMD_PAGER=cat", "AWS_PAGER=",
	}
}

// ours reports whether a variable is a secret of chant itself, such as the token of its
// server.
func ours(key string) bool { return strings.HasPrefix(key, "CHANT_") && secret.Named(key) }

// lastWins drops every entry that a later one of the same key replaces.
func lastWins(env []string) []string {
	last := make(map[string]int, len(env))
	for i, entry := range env {
		last[envKey(entry)] = i
	}
	kept := make([]string, 0, len(last))
	for i, entry := range env {
		if last[envKey(entry)] == i {
			kept = append(kept, entry)
		}
	}
	return kept
}

// Variable is the last value of a variable in an environment, "" without one.
func Variable(env []string, key string) string {
	want := envKey(key + "=")
	for i := len(env) - 1; i >= 0; i-- {
		if envKey(env[i]) == want {
			_, value, _ := strings.Cut(env[i], "=")
			return value
		}
	}
	return ""
}

func envKey(entry string) string {
	key, _, _ := strings.Cut(entry, "=")
	if runtime.GOOS == "windows" {
		return strings.ToUpper(key)
	}
	return key
}
