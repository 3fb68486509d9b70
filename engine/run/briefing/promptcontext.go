package briefing

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"chant/engine/journal"
	"chant/engine/next"
	"chant/engine/realpath"
	"chant/engine/spec"
	"chant/engine/spec/reviewed"
	"chant/engine/store"
	"chant/gitops"
)

// linksFollowed bounds how many links of a commit are followed one after the other.
const linksFollowed = 8

// quoteContext quotes the files under the spec's context key, each after its path; a file that cannot be read is named
// as such. Error: *Failure for a file outside the repository, by its path or by a link.
func (b *Briefing) quoteContext(ctx context.Context, s *spec.File) (string, error) {
	var text strings.Builder
	for _, path := range s.Fields.Context {
		if !filepath.IsLocal(filepath.FromSlash(path)) {
			return "", b.strayedContext(path, "leaves the repository")
		}
		src, err := b.contextFile(ctx, path)
		if _, refused := errors.AsType[*journal.Failure](err); refused || ctx.Err() != nil {
			return "", err
		}
		if err != nil {
			b.Announce(journal.Prompt, "warning", "context file %q cannot be read; the prompt says so", path)
			fmt.Fprintf(&text, "\n## Context: %s\n\n(cannot be read)\n", path)
			continue
		}
		fmt.Fprintf(&text, "\n## Context: %s\n\n%s\n", path, spec.Fenced("", string(src)))
	}
	return text.String(), nil
}

// quoteCode quotes code that has to do with the work, if the project wants that. It is looked for in the worktree or,
// before that exists, at home.
func (b *Briefing) quoteCode(ctx context.Context, s *spec.File) string {
	if b.Code == nil || b.Catching {
		return ""
	}
	dir := b.Tree
	if info, err := os.Stat(dir); dir == "" || err != nil || !info.IsDir() {
		dir = b.Store.Home()
	}
	text := reviewed.Without(s.Doc.DropSections(spec.DiscussionHeading)).Body()
	return b.Code(ctx, dir, s.Title+"\n"+strings.TrimSpace(string(text)))
}

func (b *Briefing) strayedContext(path, how string) *journal.Failure {
	return &journal.Failure{Kind: spec.ReasonStrayed, Next: next.Edit.On(b.Job.ID), Message: fmt.Sprintf("context file %q %s", path, how)}
}

// contextFile reads a file as the agent will see it: from its worktree, or, before that exists, from the commit that it
// will have checked out.
func (b *Briefing) contextFile(ctx context.Context, path string) ([]byte, error) {
	tree := b.Tree
	if b.Job.Silent && strings.HasPrefix(filepath.ToSlash(path), store.Dir+"/") {
		tree = b.Store.Home() // git does not have the file
	}
	if _, err := os.Lstat(tree); errors.Is(err, fs.ErrNotExist) {
		return b.committedContext(ctx, path)
	}
	within, err := realpath.Below(tree, path)
	if errors.Is(err, realpath.ErrOutside) {
		return nil, b.strayedContext(path, "is a link that leads out of the repository")
	}
	if err != nil {
		return nil, err
	}
	return b.Store.ReadTree(realpath.Of(tree), filepath.ToSlash(within))
}

// committedContext reads a file of the branch, or of the commit from which the branch will start.
func (b *Briefing) committedContext(ctx context.Context, name string) ([]byte, error) {
	commit, err := b.Repo.Resolve(ctx, "refs/heads/"+b.Job.Branch)
	if errors.Is(err, gitops.ErrNotFound) {
		commit, err = b.Job.Base, nil
	}
	if err != nil {
		return nil, err
	}
	at := path.Clean(name)
	for range linksFollowed {
		link, err := b.Repo.ReadLink(ctx, commit, at)
		if err != nil {
			return b.Repo.ReadFile(ctx, commit, at)
		}
		at = path.Join(path.Dir(at), link)
		if path.IsAbs(link) || !filepath.IsLocal(filepath.FromSlash(at)) {
			return nil, b.strayedContext(name, "is a link that leads out of the repository")
		}
	}
	return nil, fmt.Errorf("context file %q leads from link to link", name)
}

// spellSource describes the folder that a spec adopts: its files, and how its criteria are ticked.
func spellSource(a *spec.Adopted) string {
	if a == nil {
		return ""
	}
	text := fmt.Sprintf("\n\nWhat to do is described in the folder `%s`. Read all of its files before you begin:\n\n", a.Dir)
	for _, file := range a.Files {
		text += fmt.Sprintf("- `%s`\n", file)
	}
	return text + `
Tick the box of a task in its file as soon as the task is done, and change nothing else in that line. A criterion that has
no box there is checked by the tool chant_criterion_check with the name given in the list of what has to hold, or by adding
that name to the list ` + "`met`" + ` in the front matter of the spec. Do not move the folder, and do not archive it: that is
done when the work lands.`
}
