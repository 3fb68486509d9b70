package loop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Bounds of a walk through the worktree.
const (
	maxListed = 400
	maxSeen   = 200_000
)

type listInput struct {
	Path    string `json:"path"`
	Pattern string `json:"pattern"`
}

func (f files) listTool() Tool {
	return Tool{
		Name: "list_files", Description: "List files, all or those that fit a pattern; the simple lines of the top .gitignore are honoured",
		Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string","description":"folder, default the top"},` +
			`"pattern":{"type":"string","description":"such as *.go or src/**/*.ts"}}}`),
		Call: typedCall(f.list),
	}
}

func (f files) list(ctx context.Context, in listInput) (string, error) {
	var found []string
	more, room := 0, f.said-100
	err := f.tree.eachFile(ctx, in.Path, in.Pattern, func(at string) error {
		if room -= len(at) + 1; room < 0 || len(found) == maxListed {
			more++
			return nil
		}
		found = append(found, at)
		return nil
	})
	if err != nil {
		return "", err
	}
	if len(found) == 0 {
		return "[no files]", nil
	}
	text := strings.Join(found, "\n")
	if more > 0 {
		text += fmt.Sprintf("\n[and %d more; give a path or a pattern to see them]", more)
	}
	return text, nil
}

// eachFile calls visit for the plain files below a folder that fit a pattern, in order.
func (t *tree) eachFile(ctx context.Context, below, pattern string, visit func(path string) error) error {
	if below == "" {
		below = "."
	}
	top, err := t.resolve(below, false)
	if err != nil {
		return err
	}
	if _, err := t.root.Lstat(top); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%q does not exist; call list_files without a path to list files", below)
	}
	fits, err := glob(pattern)
	if err != nil {
		return err
	}
	v := visitor{below: top, fits: fits, ignored: t.readIgnored(), visit: visit}
	return fs.WalkDir(t.root.FS(), top, func(at string, entry fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return v.visitEntry(at, entry, err)
	})
}

// visitor walks over a part of the worktree.
type visitor struct {
	below   string
	fits    func(path string) bool
	ignored ignored
	visit   func(path string) error
	seen    int
}

func (v *visitor) visitEntry(at string, entry fs.DirEntry, err error) error {
	if v.seen++; v.seen > maxSeen {
		return fmt.Errorf("there are more than %d files; give a path", maxSeen)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, fs.ErrInvalid), err == nil && at == ".":
		// It is gone in the meantime, cannot be read, has a name that is not UTF-8, or is the top itself.
		return nil
	case err != nil:
		return err
	case (isGitName(entry.Name()) || v.ignored.skip(at, entry.IsDir())) && entry.IsDir():
		return fs.SkipDir
	case isGitName(entry.Name()), v.ignored.skip(at, false), !entry.Type().IsRegular(), !v.fits(relativeTo(v.below, at)):
		return nil
	}
	return v.visit(at)
}

// relativeTo is a path as seen from a folder, by which patterns go.
func relativeTo(folder, at string) string {
	if folder == "." || folder == at {
		return at
	}
	return path.Clean(strings.TrimPrefix(at, folder+"/"))
}
