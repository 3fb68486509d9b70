package gitexec

import (
	"path/filepath"
	"strings"
)

// environment is what git sees of ours. Everything named GIT_ that could point it at
// another repository, index or setting is dropped, as it is set inside hooks; who
// commits, and how to reach remotes and keys, is kept. Objects are what they are, not
// what something puts in their place.
func environment(inherited, fixed []string, c Call) []string {
	env := make([]string, 0, len(inherited)+10)
	for _, pair := range inherited {
		name, _, _ := strings.Cut(pair, "=")
		if !strings.HasPrefix(strings.ToUpper(name), "GIT_") || kept(name) {
			env = append(env, pair)
		}
	}
	env = append(env, "LC_ALL=C", "LANGUAGE=", "GIT_TERMINAL_PROMPT=0", "GIT_EDITOR=true",
		"GIT_MERGE_AUTOEDIT=no", "GIT_PAGER=cat", "GIT_NO_REPLACE_OBJECTS=1")
	if !c.Write {
		env = append(env, "GIT_OPTIONAL_LOCKS=0")
	}
	if c.Dir != "" {
		env = append(env, "GIT_CEILING_DIRECTORIES="+filepath.Dir(c.Dir))
	}
	return append(append(env, fixed...), c.Env...)
}

func kept(name string) bool {
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
