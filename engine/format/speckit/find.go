package speckit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"
)

// Find returns the folder of the feature that is worked on in a branch: the folder of the same name, else the one that
// is only the number, else the only one with that number. What a branch has before its last slash does not matter. The
// error is a [*BranchError], a [*NotFoundError] or an [*AmbiguousError].
func Find(fsys fs.FS, branch string) (string, error) {
	base := branch[strings.LastIndexByte(branch, '/')+1:]
	number, name, timed := splitName(base)
	if number == "" || name == "" {
		return "", &BranchError{Branch: branch}
	}
	dirs, err := folders(fsys)
	if err != nil {
		return "", err
	}
	var same []string
	for _, dir := range dirs {
		if n, _, t := splitName(path.Base(dir)); n == number && t == timed {
			same = append(same, dir)
		}
	}
	// The folder of the same name is meant, even if others share its number.
	for _, exact := range []string{path.Join(Root, base), path.Join(Root, number)} {
		if slices.Contains(same, exact) {
			return exact, nil
		}
	}
	switch len(same) {
	case 0:
		return "", &NotFoundError{What: "feature " + number, Dir: Root, Try: []string{path.Join(Root, base)}}
	case 1:
		return same[0], nil
	}
	return "", &AmbiguousError{Number: number, Dirs: same}
}

// Pointer reads .specify/feature.json, which names the feature being worked on, and returns its folder: a path without
// "." and "..", with slashes, below the root of the repository and not in .git. The error is a [*PointerError].
func Pointer(src []byte) (string, error) {
	var pointer struct {
		Dir *string `json:"feature_directory"`
	}
	if err := json.Unmarshal(bytes.TrimPrefix(src, []byte("\ufeff")), &pointer); err != nil {
		return "", &PointerError{Reason: err.Error()}
	}
	if pointer.Dir == nil || strings.TrimSpace(*pointer.Dir) == "" {
		return "", &PointerError{Reason: `feature_directory is missing`}
	}
	dir := *pointer.Dir
	clean := path.Clean(dir)
	switch {
	// The path becomes one of the repository: it must not lead out, nor mean another one on Windows.
	case path.IsAbs(dir), strings.ContainsAny(dir, `\:`), strings.ContainsFunc(dir, unicode.IsControl), !fs.ValidPath(clean):
		return "", &PointerError{Reason: `feature_directory must be a relative path inside the repository, with slashes: "` + dir + `"`}
	case clean == ".", slices.ContainsFunc(strings.Split(clean, "/"), func(part string) bool { return strings.EqualFold(part, ".git") }):
		return "", &PointerError{Reason: `feature_directory cannot be "` + dir + `"`}
	}
	return clean, nil
}

// NotFoundError says that a feature or one of its files is missing.
type NotFoundError struct {
	What string   // such as "feature 014" or "artifact plan"
	Dir  string   // the folder that was searched
	Try  []string // paths that were looked for
}

func (e *NotFoundError) Error() string {
	text := fmt.Sprintf("no %s in %q", e.What, e.Dir)
	if len(e.Try) > 0 {
		text += " (looked for " + strings.Join(e.Try, ", ") + ")"
	}
	return text
}

// AmbiguousError says that several folders have the number of a branch.
type AmbiguousError struct {
	Number string
	Dirs   []string // in order
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("several features have the number %s: %s", e.Number, strings.Join(e.Dirs, ", "))
}

// BranchError says that the name of a branch has no number of a feature.
type BranchError struct{ Branch string }

func (e *BranchError) Error() string {
	return fmt.Sprintf("branch %q does not have the form NNN-name or YYYYMMDD-HHMMSS-name", e.Branch)
}

// ArtifactError says that there are no artifacts of a name.
type ArtifactError struct{ Name string }

func (e *ArtifactError) Error() string {
	return fmt.Sprintf("invalid artifact %q (use %s)", e.Name, strings.Join(Artifacts(), ", "))
}

// PointerError says why the file feature.json does not lead to a feature.
type PointerError struct{ Reason string }

func (e *PointerError) Error() string { return "feature.json: " + e.Reason }
