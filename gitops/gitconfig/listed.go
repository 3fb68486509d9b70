package gitconfig

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// listed is git's last answer about all settings.
type listed struct {
	mu      sync.Mutex
	stamp   string   // of what the entries were read from; "" = ask again
	entries []string // each "key\nvalue", or only its key
	origins []string // of each entry: its file, "" if it is in none
	scopes  []string // of each entry, as git calls them: "system", "global", "local" …
	further []string // files that git has read, beside those that paths names
}

// list returns every setting that git reads in this repository, each as "key\nvalue", or only its key. It asks git again
// only when the answer can have changed.
func (s *Settings) list(ctx context.Context) ([]string, error) {
	entries, _, err := s.listOrigins(ctx)
	return entries, err
}

// listOrigins is list with the file of each entry, "" for one that is in none.
func (s *Settings) listOrigins(ctx context.Context) (list, from []string, err error) {
	l := &s.listed
	l.mu.Lock()
	defer l.mu.Unlock()
	paths := s.paths()
	// Contents are compared, not times: an agent can set the time of a file.
	stamp := stampOf(append(paths, l.further...))
	if stamp == l.stamp {
		return l.entries, l.origins, nil
	}
	out, err := s.Git.Run(ctx, gitexec.Call{Dir: s.Site.Home, Args: []string{"config", "--includes", "--show-scope", "--show-origin", "-z", "--list"}})
	if err != nil {
		return nil, nil, err
	}
	entries, origins, scopes, err := split(gitexec.Records(out))
	if err != nil {
		return nil, nil, err
	}
	for i, origin := range origins {
		// Git prints some files relative to the folder in which it runs.
		if origin != "" && !filepath.IsAbs(origin) {
			origins[i] = filepath.Join(s.Site.Home, origin)
		}
	}
	l.entries, l.origins, l.scopes, l.stamp = entries, origins, scopes, stamp
	for _, origin := range origins {
		if origin != "" && !slices.Contains(paths, origin) && !slices.Contains(l.further, origin) {
			// The stamp does not know this file yet, so the next call asks git once more.
			l.further, l.stamp = append(l.further, origin), ""
		}
	}
	// What an include adds can depend on the branch or the folder, and not only on files.
	if slices.ContainsFunc(entries, func(entry string) bool { return strings.HasPrefix(entry, "include") }) {
		l.stamp = ""
	}
	return l.entries, l.origins, nil
}

// split takes the records of "git config --show-scope --show-origin -z --list": scopes, origins and entries in turn. Of an
// origin it returns the file, "" for another kind.
func split(records []string) (entries, files, scopes []string, err error) {
	if len(records)%3 != 0 {
		return nil, nil, nil, fmt.Errorf("git config --show-origin: %d records, which are not three of each", len(records))
	}
	for each := range slices.Chunk(records, 3) {
		file, is := strings.CutPrefix(each[1], "file:")
		if !is {
			file = ""
		}
		scopes, files, entries = append(scopes, each[0]), append(files, file), append(entries, each[2])
	}
	return entries, files, scopes, nil
}

// paths lists the files in which git looks for settings, whether they exist or not.
func (s *Settings) paths() []string {
	paths := []string{filepath.Join(s.Site.Common, "config"), filepath.Join(s.Site.Common, "config.worktree"), "/etc/gitconfig"}
	// A git outside of /usr reads the system's settings from the etc folder beside its bin.
	for _, program := range s.Git.Paths() {
		paths = append(paths, filepath.Join(filepath.Dir(filepath.Dir(program)), "etc", "gitconfig"))
	}
	for _, name := range []string{"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"} {
		if path := os.Getenv(name); path != "" {
			paths = append(paths, path)
		}
	}
	if home, err := os.UserHomeDir(); err == nil {
		paths = append(paths, filepath.Join(home, ".gitconfig"), filepath.Join(home, ".config", "git", "config"))
	}
	if folder := os.Getenv("XDG_CONFIG_HOME"); folder != "" {
		paths = append(paths, filepath.Join(folder, "git", "config"))
	}
	return paths
}

// stampOf identifies the contents of files. It is never "".
func stampOf(paths []string) string {
	var all strings.Builder
	for _, path := range paths {
		text, err := layout.ReadPlain(path)
		// With the length of each, two lists of files cannot join to the same text.
		fmt.Fprintf(&all, "%t %d ", err == nil, len(text))
		all.Write(text)
	}
	return all.String()
}
