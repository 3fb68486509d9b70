package weakened

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"chant/engine/evidence/criteria"
	"chant/engine/spec/fileset"
)

// Replaced is a path that is, or was, more than a plain file: a symbolic link, a submodule, or a program. Both sides are
// words of a finding, Was "" for a path that is new, Is "" for one that is gone.
type Replaced struct{ Path, Was, Is string }

// checkKind returns the kind for a finding about a whole file: test_removed for tests, check_changed for files that commands
// run, else "".
func (f *finder) checkKind(file string) criteria.WeakenedKind {
	switch {
	// A folder is what its files are.
	case isTestPath(file), isTestPath(file + "/"):
		return criteria.TestRemoved
	case f.isUsed(file):
		return criteria.CheckChanged
	}
	return ""
}

// isUsed reports whether commands name a file, or what is below it.
func (f *finder) isUsed(file string) bool {
	if f.used.run[path.Clean(file)] {
		return true
	}
	for name := range f.used.run {
		if strings.HasPrefix(name, file+"/") {
			return true
		}
	}
	return false
}

// hasFinding reports whether something was found in a file.
func (f *finder) hasFinding(file string) bool {
	return slices.ContainsFunc(f.found, func(w criteria.Weakened) bool { return w.File == file })
}

// compareReplaced looks at checks that are links or submodules, or no longer programs.
func (f *finder) compareReplaced(replaced []Replaced) {
	for _, r := range replaced {
		// New ones are checks only if they take over one.
		if r.Was == "" {
			continue
		}
		// Only a shell that starts a file as a program asks for its mode, and submodules are updated every day.
		if r.Was == executable && !f.used.programs[r.Path] || r.Was == submodule && r.Is == submodule && !f.isUsed(r.Path) {
			continue
		}
		if kind := f.checkKind(r.Path); kind != "" {
			f.addAt(kind, r.Path, 1, r.Was, r.Is)
		}
	}
}

// compareWhole looks at what happened to a file as a whole, and to files that commands run or compare with.
func (f *finder) compareWhole(file File) {
	kind := f.checkKind(file.Old)
	switch {
	case file.Before == nil || bytes.Equal(file.Before, file.After) && file.Old == file.Path && !file.unreadable:
		return
	case file.After == nil:
		if kind != "" && !f.hasFinding(file.Old) && (kind == criteria.CheckChanged || f.leavesTests(file)) {
			f.addAt(kind, file.Old, 1, firstLine(file.Before), "")
		}
		return
	case file.unreadable:
		if kind != "" || f.groupOf(file.Path) != plain && !f.hasFinding(file.Path) {
			f.addAt(criteria.NotComparable, file.Path, 1, "text", "what is no text, or too long")
		}
		return
	// One that was moved and changed is another one to a command.
	case kind == criteria.CheckChanged && file.Old != file.Path && !f.used.run[file.Path] && !bytes.Equal(file.Before, file.After):
		f.addAt(kind, file.Old, 1, file.Old, file.Path)
		return
	case f.used.expected[file.Old]:
		if isTarget := slices.ContainsFunc(f.targets, func(glob string) bool { return fileset.Match(glob, file.Old) }); !isTarget && !f.hasFinding(file.Path) {
			f.addFirst(criteria.CheckChanged, file)
		}
		return
	}
	if s := f.old[file.Old]; s != nil && (kind == criteria.CheckChanged || s.isTest && kind != "") {
		if kind == criteria.TestRemoved {
			kind = criteria.TestSkipped
		}
		if line, at := earlyEnd(s.lang, string(file.Before), string(file.After)); line != "" {
			f.addAt(kind, file.Path, lineAt(string(file.After), at), "", line)
		}
	}
}

// addFirst adds a finding at the first line of a file that differs.
func (f *finder) addFirst(kind criteria.WeakenedKind, file File) {
	line, was, is := 1, "", ""
	if gone := changedLines(string(file.Before), string(file.After)); len(gone) > 0 {
		was = gone[0].text
	}
	if added := changedLines(string(file.After), string(file.Before)); len(added) > 0 {
		line, is = lineAt(string(file.After), added[0].at), added[0].text
	}
	f.addAt(kind, file.Path, line, was, is)
}

// firstLine is the first line of a text that is neither empty nor a comment.
func firstLine(text []byte) string {
	if lines := linesOf(string(text)); len(lines) > 0 {
		return lines[0].text
	}
	return "a file"
}

// leavesTests reports whether a file of tests that is gone has checked something that the change keeps, where its tests
// are not compared one by one.
func (f *finder) leavesTests(file File) bool {
	s := f.old[file.Old]
	lines := linesOf(string(file.Before))
	switch {
	case s == nil, len(lines) == 0, isDocument(file.Old), !isCode(s.lang) && !testFormat.get().MatchString(file.Old):
		return false
	case slices.ContainsFunc(s.units, func(u unit) bool { return u.test }):
		return false
	// Helpers are compared where tests use them.
	case isCode(s.lang) && s.lang != "bash" && !slices.ContainsFunc(slices.Concat(s.units, s.top), func(u unit) bool { return len(u.asserts) > 0 }):
		return false
	case f.removed[strings.TrimSuffix(strings.TrimPrefix(stem(file.Old), "test_"), "_test")]:
		return false
	}
	// Most of it may be in another file now.
	return !slices.ContainsFunc(f.files, func(other File) bool {
		if other.After == nil || path.Ext(other.Path) != path.Ext(file.Old) || f.joins == maxMoved {
			return false
		}
		f.joins++
		return 4*len(changedLines(string(file.Before), string(other.After))) <= len(lines) && !bytes.Equal(other.Before, other.After)
	})
}

// testFormat matches files that are tests although no language has them. Other data beside tests is what they need.
var testFormat = pattern{text: `\.(?:feature|robot|txtar|http|hurl|bats|t|exp)$|(?:^|/)cases/`}

// isDocument reports whether a file beside tests is about them.
func isDocument(file string) bool {
	return slices.Contains([]string{".md", ".rst", ".adoc"}, strings.ToLower(path.Ext(file))) || strings.HasPrefix(path.Base(file), ".git")
}

// isUnreadable reports whether a file was text and is now binary, too long or in another encoding.
func isUnreadable(file File) bool {
	return file.Before != nil && file.After != nil && !isOpaque(file.Before) && (isOpaque(file.After) || utf8.Valid(file.Before) && !utf8.Valid(file.After))
}
