package touched

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"chant/gitops"
)

// Led are files and folders of a repository to which the settings and hooks of a checkout lead, in the form of Fold, each
// with what leads there. The zero value has none.
type Led struct{ files, folders map[string]string }

func (l Led) isEmpty() bool { return len(l.files)+len(l.folders) == 0 }

// Find reports whether something leads to a file, or to a folder that it is in.
func (l Led) Find(file string) (what string, led bool) {
	file = Fold(file)
	if what, led = l.files[file]; led {
		return what, true
	}
	for dir := file; dir != "."; dir = path.Dir(dir) {
		if what, led = l.folders[dir]; led {
			return what, true
		}
	}
	return "", false
}

// modules lists the files that scripts may import, whether they are there or not: the interpreter has its own of most names.
func (l Led) modules() []string {
	var out []string
	for _, file := range slices.Sorted(maps.Keys(l.files)) {
		if path.Ext(file) == ".py" {
			out = append(out, file)
		}
	}
	return out
}

// FindBelow reports whether something leads to a folder, to what is below it, or to a folder that it is in.
func (l Led) FindBelow(folder string) (what string, led bool) {
	if what, led = l.Find(folder); led {
		return what, true
	}
	// Of several, the first by its path, so that the answer is always the same.
	first := ""
	for _, paths := range []map[string]string{l.files, l.folders} {
		for file, lead := range paths {
			if strings.HasPrefix(file, Fold(folder)+"/") && (first == "" || file < first) {
				first, what = file, lead
			}
		}
	}
	return what, first != ""
}

const (
	maxLed  = 2000      // files that are looked into
	maxRead = 256 << 10 // bytes of a script that are looked into
)

// FindLed finds the files of a commit to which leads lead: those that are named, those of the folders that are named, and those
// that such scripts name in turn. A file that is not there yet counts too, since a branch could add it. home is the folder
// of the checkout. What a program computes, or finds by searching, is not found.
func (c Commits) FindLed(ctx context.Context, commit, home string, leads []gitops.Lead) (Led, error) {
	s := search{c: c, commit: commit, home: home, found: Led{map[string]string{}, map[string]string{}}}
	for _, lead := range leads {
		if lead.Path {
			s.addNamed(lead)
		} else {
			s.addMentions(lead, "", true)
		}
	}
	// The list grows while it is read: scripts name other scripts. The limit bounds what hostile files can cost.
	for i := 0; i < len(s.open) && i < maxLed; i++ {
		if err := s.read(ctx, s.open[i]); err != nil {
			return Led{}, err
		}
	}
	return s.found, nil
}

// search looks for files that are led to.
type search struct {
	c            Commits
	commit, home string
	found        Led
	open         []lookup
}

// lookup is a file or a folder that is to be read.
type lookup struct {
	path string
	lead gitops.Lead
}

// addNamed adds the file or folder that a lead is the path of.
func (s *search) addNamed(lead gitops.Lead) {
	file, inside := s.relative(lead.Text)
	if !inside || file == "." {
		return
	}
	if _, known := s.found.folders[Fold(file)]; !known {
		s.found.folders[Fold(file)] = lead.What
		s.open = append(s.open, lookup{file, lead})
	}
	// Hooks of husky lie in a folder of their own and call those beside it.
	if top, _, _ := strings.Cut(file, "/"); top == ".husky" {
		s.addFolder(top, lead)
	}
}

// addFolder adds a folder.
func (s *search) addFolder(dir string, lead gitops.Lead) {
	lead.Text = dir
	if _, known := s.found.folders[Fold(dir)]; !known {
		s.found.folders[Fold(dir)] = lead.What
		s.open = append(s.open, lookup{dir, lead})
	}
}

// relative returns a path from the top of the checkout.
func (s *search) relative(file string) (rel string, inside bool) {
	// Settings of git may begin a path with the home folder of the user.
	if rest, ok := strings.CutPrefix(file, "~/"); ok {
		if own, err := os.UserHomeDir(); err == nil {
			file = filepath.Join(own, rest)
		}
	}
	file = filepath.FromSlash(file)
	if !filepath.IsAbs(file) {
		file = filepath.Join(s.home, file)
	}
	rel, err := filepath.Rel(s.home, file)
	// A file outside of the repository is in no commit, so no branch can change it.
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	rel = filepath.ToSlash(rel)
	// Nor is one in the folder of git.
	return rel, rel != gitFolder && !strings.HasPrefix(rel, gitFolder+"/")
}

var (
	quoted  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"([^"\n]+)"|'([^'\n]+)'`) })
	imports = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^[ \t]*(?:from|import)[ \t]+([\w.]+)`) })
	module  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`-m[ \t]+([\w.]+)`) })
)

// addMentions adds the files that a command, or the script at a path, names. In a command every word counts, in a script those
// that are paths or look like the name of a script.
func (s *search) addMentions(lead gitops.Lead, script string, command bool) {
	words := strings.FieldsFunc(lead.Text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._/-+@~", r)
	})
	// A name in quotes may have spaces, which the words above do not.
	for _, m := range quoted().FindAllStringSubmatch(lead.Text, -1) {
		words = append(words, m[1]+m[2])
	}
	// Python names files by modules.
	for _, m := range append(imports().FindAllStringSubmatch(lead.Text, -1), module().FindAllStringSubmatch(lead.Text, -1)...) {
		name := strings.ReplaceAll(strings.Trim(m[1], "."), ".", "/")
		words = append(words, "./"+name+".py", "./"+name+"/__init__.py", "./"+name+"/__main__.py")
	}
	for i, word := range words {
		// A number is the output that a shell redirects, or the code that it exits with.
		if strings.Trim(word, "0123456789") == "" {
			continue
		}
		for _, file := range startedBy(word, lead.Landing) {
			s.addFile(file, lead)
		}
		switch {
		case strings.Contains(word, ".husky"):
			s.addFolder(".husky", lead)
		// The first word of a command is a program of PATH; in a script, other words are mostly no files.
		case strings.Contains(word, "/"), command && i > 0, !command && isScript(word):
			s.addWord(word, script, lead)
		}
	}
}

// isScript reports whether a name is that of a script, or of settings that a program runs commands of.
func isScript(name string) bool {
	return slices.Contains([]string{
		".sh", ".bash", ".zsh", ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".lua", ".php", ".awk", ".sed", ".mk", ".ps1", ".bat", ".cmd", ".exe", ".yml", ".yaml", ".toml",
	}, path.Ext(name))
}

// isSourceText reports whether a name is that of a text that no program runs as it is.
func isSourceText(name string) bool {
	return slices.Contains([]string{".go", ".c", ".h", ".cc", ".cpp", ".hpp", ".rs", ".java", ".kt", ".swift", ".cs", ".md", ".txt", ".html", ".css", ".json", ".lock"}, path.Ext(name))
}

// addWord adds the files that a word may name, from the top and from the folder of the script that has it.
func (s *search) addWord(addWord, script string, lead gitops.Lead) {
	// A script mentions sources and texts without running them, and two slashes are those of an address.
	if isSourceText(addWord) && script != "" || strings.Contains(addWord, "//") {
		return
	}
	candidates := []string{addWord, strings.TrimLeft(addWord, "/")}
	// Programs find scripts without their endings.
	for _, end := range []string{".py", ".js", ".cjs", ".mjs", ".ts", ".sh", ".rb", "/index.js", "/__main__.py"} {
		if path.Ext(addWord) == "" {
			candidates = append(candidates, strings.Trim(addWord, "/")+end)
		}
	}
	for _, candidate := range candidates {
		if file, inside := s.relative(candidate); inside {
			s.addFile(file, lead)
		}
		// A script may name files from its own folder or from where it is started, which is mostly the top.
		if script != "" && !strings.HasPrefix(candidate, "~") {
			if file, inside := s.relative(path.Join(path.Dir(script), candidate)); inside {
				s.addFile(file, lead)
			}
		}
	}
}

// addFile adds a file.
func (s *search) addFile(addFile string, lead gitops.Lead) {
	// Each file is read once, so scripts that name each other end.
	if _, known := s.found.files[Fold(addFile)]; known || addFile == "." {
		return
	}
	s.found.files[Fold(addFile)] = lead.What
	s.open = append(s.open, lookup{addFile, lead})
}

// read looks into a file, or the files of a folder, as the commit has them.
func (s *search) read(ctx context.Context, l lookup) error {
	entry, err := s.c.Repo.Entry(ctx, s.commit, l.path)
	// A file that is not there yet counts as named, but has nothing to read.
	if errors.Is(err, gitops.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if entry.Dir {
		if s.found.folders[Fold(l.path)] == "" {
			// A word of a command that happens to be a folder is not run.
			return nil
		}
		entries, err := s.c.Repo.ReadDir(ctx, s.commit, l.path)
		for _, e := range entries {
			s.open = append(s.open, lookup{l.path + "/" + e.Name, l.lead})
			if e.Dir {
				s.found.folders[Fold(l.path+"/"+e.Name)] = l.lead.What
			}
		}
		return err
	}
	if entry.Mode == "120000" {
		to, err := s.c.Repo.ReadLink(ctx, s.commit, l.path)
		// A link is followed within the commit only, and its target is judged like a file that is named.
		if file, inside := s.relative(path.Join(path.Dir(l.path), to)); err == nil && inside && !path.IsAbs(to) {
			s.addFile(file, l.lead)
		}
		return err
	}
	if entry.Mode == "160000" {
		return nil
	}
	text, err := s.c.Repo.ReadBlob(ctx, entry.Hash)
	// A program that was compiled, or is very long, is not searched for names.
	if err != nil || len(text) > maxRead || bytes.IndexByte(text, 0) >= 0 {
		return err
	}
	lead := l.lead
	// Of a folder of hooks, git runs only some at a landing.
	lead.Landing = lead.Landing && (!lead.Path || gitops.RunsAtLanding(path.Base(l.path)))
	lead.Text, lead.Path = string(text), false
	s.addMentions(lead, l.path, false)
	return nil
}

// startedBy lists the files that a program reads commands from, by its name. Those that hooks of commits use as well count
// only for what git runs at a landing: a commit is a person's.
func startedBy(program string, landing bool) []string {
	switch path.Base(program) {
	case "lefthook":
		return []string{"lefthook.yml", "lefthook.yaml", "lefthook.toml", "lefthook.json", ".lefthook.yml", ".lefthook.yaml", ".lefthook.toml", ".lefthook.json"}
	case "pre-commit", "pre_commit", "prek":
		return []string{".pre-commit-config.yaml", ".pre-commit-config.yml", "prek.toml"}
	case "overcommit":
		return []string{".overcommit.yml"}
	case "git-lfs", "lfs":
		return []string{".lfsconfig"}
	}
	if !landing {
		return nil
	}
	switch path.Base(program) {
	case "make", "gmake":
		return []string{"GNUmakefile", "makefile", "Makefile"}
	case "npm", "npx", "yarn", "pnpm", "bun", "bunx":
		return []string{"package.json", ".npmrc", ".yarnrc.yml", ".pnpmfile.cjs"}
	case "just":
		return []string{"justfile", "Justfile", ".justfile"}
	case "task":
		return []string{"Taskfile.yml", "Taskfile.yaml"}
	case "rake":
		return []string{"Rakefile"}
	}
	return nil
}
