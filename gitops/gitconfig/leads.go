package gitconfig

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/gitops/layout"
)

// Lead is what leads git, or a program that git starts, to files: the value of a setting, or the text of a hook.
type Lead struct {
	What string // in words: `git setting "core.hookspath"`
	Text string // a command, or the lines of a script
	// Path reports that Text is no command but the path of a file or a folder, relative to the top of a checkout.
	Path bool
	// Landing reports that git runs it by itself when files of a checkout are written or its branch moves.
	Landing bool
}

// Leads lists what settings and hooks lead to, wherever git reads them: as the person's checkout sees it.
func (s *Settings) Leads(ctx context.Context) ([]Lead, error) {
	list, err := s.list(ctx)
	if err != nil {
		return nil, err
	}
	hooks := filepath.Join(s.Site.Common, "hooks")
	var out []Lead
	for _, entry := range list {
		key, value, _ := strings.Cut(entry, "\n")
		if key == "core.hookspath" && value != "" {
			hooks = fromTop(s.Site.Home, value)
		}
		if lead, ok := leadOf(key, value); ok {
			out = append(out, lead)
			// The path of an include is relative to the file that includes; which one that is does not matter to a reader of both.
			if strings.HasPrefix(key, "include") {
				lead.Text = fromTop(s.Site.Common, value)
				out = append(out, lead)
			}
		}
	}
	for _, file := range append(s.paths(), s.furtherFiles()...) {
		out = append(out, Lead{What: "the list of git's settings", Text: file, Path: true})
	}
	more, err := leadsOfHooks(hooks)
	return append(out, more...), err
}

// furtherFiles lists the files of settings that git has read beside those in the usual places.
func (s *Settings) furtherFiles() []string {
	s.listed.mu.Lock()
	defer s.listed.mu.Unlock()
	return slices.Clone(s.listed.further)
}

// leadOf returns where a setting leads; ok is false for settings that name neither a program nor a file.
func leadOf(key, value string) (lead Lead, ok bool) {
	section, rest, _ := strings.Cut(key, ".")
	name := rest[strings.LastIndexByte(rest, '.')+1:]
	lead = Lead{What: `git setting "` + key + `"`, Text: value}
	lead.Landing = section == "filter" || section == "merge" || section == "hook" || key == "core.fsmonitor" || key == "core.hookspath"
	for _, end := range []string{"path", "file", "dir", "template", "signingkey", "cert", "cainfo", "capath", "sslkey"} {
		lead.Path = lead.Path || strings.HasSuffix(name, end)
	}
	// An address names no program but by a transport such as "ext::". It may be the path of a repository.
	lead.Path = lead.Path || section == "remote" && (name == "url" || name == "pushurl") && !strings.Contains(value, "::")
	// Of the loop that chant wrote, only the path of chant leads anywhere.
	if loop, ours := strings.CutPrefix(value, "for c in chant"); ours && key == "merge.chant-spec.driver" {
		lead.Text, _, _ = strings.Cut(loop, ";")
	}
	switch {
	case lead.Text == "":
		return lead, false
	case lead.Path:
		return lead, true
	// Without a mark, an alias is a command of git.
	case section == "alias":
		command, shell := strings.CutPrefix(value, "!")
		lead.Text = command
		return lead, shell
	}
	// Names, addresses and refs are no commands.
	none := []string{"user", "author", "committer", "url", "extensions", "branch", "pull", "push", "i18n", "protocol", "safe"}
	return lead, !slices.Contains(none, section) && (runsProgram(key) || mayRunProgram(key))
}

// leadsOfHooks returns what the hooks of a folder lead to, and the folder itself.
func leadsOfHooks(folder string) ([]Lead, error) {
	var out []Lead
	// The folder of hooks may be a link; both its path and its target lead to files.
	for _, path := range []string{folder, layout.RealPath(folder)} {
		out = append(out, Lead{What: "the folder of git's hooks", Text: path, Path: true, Landing: true})
	}
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), ".sample") || entry.IsDir() {
			continue
		}
		at := filepath.Join(folder, entry.Name())
		lead := Lead{What: `git hook "` + entry.Name() + `"`, Text: layout.RealPath(at), Path: true, Landing: RunsAtLanding(entry.Name())}
		out = append(out, lead)
		text, err := os.ReadFile(at)
		if err != nil { // a link to nothing: git runs nothing either
			continue
		}
		// A script leads to what its lines name, in addition to its own file.
		lead.Text, lead.Path = string(text), false
		out = append(out, lead)
	}
	return out, err
}

// RunsAtLanding reports whether git runs a hook when it writes the files of a checkout or moves its branch.
func RunsAtLanding(hook string) bool {
	for _, name := range []string{"post-index-change", "reference-transaction", "post-merge", "post-checkout", "fsmonitor"} {
		if strings.HasPrefix(hook, name) {
			return true
		}
	}
	return false
}

// fromTop returns the path that a setting means in a checkout.
func fromTop(top, value string) string {
	if rest, ok := strings.CutPrefix(value, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	return layout.Resolve(top, value)
}
