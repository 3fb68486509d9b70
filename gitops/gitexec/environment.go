package gitexec

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// environment is what git sees of ours. Everything named GIT_ that could point it at
// another repository, index or setting is dropped, as it is set inside hooks; who
// commits, how to reach remotes and keys, and settings for git as containers and CI
// give them, are kept. Objects are what they are, not what something puts in their
// place.
func environment(inherited, fixed []string, c Call) []string {
	env := make([]string, 0, len(inherited)+10)
	for _, pair := range inherited {
		name, value, _ := strings.Cut(pair, "=")
		// Hooks are started with variables that point git at another repository, index or setting.
		if !strings.HasPrefix(strings.ToUpper(name), "GIT_") || isKept(name) || name == parametersName && !parses(value) {
			env = append(env, pair)
		}
	}
	// Messages are parsed, so they stay in English, and nothing may wait for a terminal or an editor.
	env = append(env, "LC_ALL=C", "LANGUAGE=", "GIT_TERMINAL_PROMPT=0", "GIT_EDITOR=true", "GIT_SEQUENCE_EDITOR=true",
		"GIT_MERGE_AUTOEDIT=no", "GIT_PAGER=cat", "GIT_NO_REPLACE_OBJECTS=1")
	// Without this, "git status" takes the lock of the index to refresh it and makes others wait.
	if !c.Write {
		env = append(env, "GIT_OPTIONAL_LOCKS=0")
	}
	env = append(env, SettingsEnv(inherited, c.Config)...)
	// An emptied folder must be an error, never the repository around it.
	if c.Dir != "" {
		env = append(env, "GIT_CEILING_DIRECTORIES="+filepath.Dir(c.Dir))
	}
	// Of several equal names git takes the last one, so the caller's come last.
	return append(append(env, fixed...), c.Env...)
}

// SettingsEnv are the variables from which git reads the settings that an environment has for it, and then further ones,
// names and values. They count more than those of files.
func SettingsEnv(environ []string, further [][2]string) []string {
	list := append(settingsIn(environ), further...)
	if len(list) == 0 {
		return nil
	}
	env := []string{"GIT_CONFIG_COUNT=" + strconv.Itoa(len(list))}
	for i, pair := range list {
		n := strconv.Itoa(i)
		env = append(env, "GIT_CONFIG_KEY_"+n+"="+pair[0], "GIT_CONFIG_VALUE_"+n+"="+pair[1])
	}
	return env
}

// settingsIn lists the settings of git in an environment, but those that would point it at another repository. Git takes
// none of them if one lacks its name or value, and says so for itself; here they are left out.
func settingsIn(environ []string) (list [][2]string) {
	value := func(name string) (string, bool) {
		// The last of several equal names is in force.
		for _, pair := range slices.Backward(environ) {
			if found, ok := strings.CutPrefix(pair, name+"="); ok {
				return found, true
			}
		}
		return "", false
	}
	said, _ := value("GIT_CONFIG_COUNT")
	count, _ := strconv.Atoi(said)
	// The bound keeps a wrong count from making this loop for hours.
	for i := range min(count, 1000) {
		n := strconv.Itoa(i)
		key, named := value("GIT_CONFIG_KEY_" + n)
		text, set := value("GIT_CONFIG_VALUE_" + n)
		// These two would point git at another repository.
		if named && set && !slices.Contains([]string{"core.worktree", "core.bare"}, strings.ToLower(key)) {
			list = append(list, [2]string{key, text})
		}
	}
	return list
}

// parses reports whether a list of settings can be read. Another one is left to git, which refuses it.
func parses(parameters string) bool {
	_, ok := parseParameters(parameters)
	return ok
}

func isKept(name string) bool {
	switch name {
	case "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_ATTR_NOSYSTEM",
		"GIT_ASKPASS", "GIT_EXEC_PATH", "GIT_TEMPLATE_DIR", "GIT_ALLOW_PROTOCOL", "GIT_DISCOVERY_ACROSS_FILESYSTEM":
		return true
	}
	for _, prefix := range []string{"GIT_AUTHOR_", "GIT_COMMITTER_", "GIT_SSH", "GIT_SSL_", "GIT_PROXY_", "GIT_HTTP_", "GIT_LFS_"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
