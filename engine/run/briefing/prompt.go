package briefing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/prompt"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/reviewed"
	"chant/engine/store"
	"chant/engine/store/disk"
	"chant/gitops"
)

// Briefing writes what an agent reads: the prompt with its values, context and notes on earlier attempts.
type Briefing struct {
	*attempt.Attempt
	Clashes []string // files in which branch and target conflict
	// Code returns pieces of the code in a folder that the work of a spec is about, "" if there are none; nil = none are
	// looked for.
	Code func(ctx context.Context, dir, about string) string
}

// Prompt writes the agent's prompt to the run's cache.
func (b *Briefing) Prompt(ctx context.Context) error {
	s, err := b.OwnSpec(ctx)
	if err != nil {
		return err
	}
	text, err := b.Text(ctx, s)
	if err != nil {
		return err
	}
	if _, err = b.Store.WriteCache(b.Job.ID, "prompt.md", []byte(text)); err != nil {
		return err
	}
	return b.receive(ctx)
}

// Text returns everything that the agent reads: the prompt, the comments of reviews, the questions and answers about
// the spec, and the description of its output.
func (b *Briefing) Text(ctx context.Context, s *spec.File) (string, error) {
	text, err := b.Fill(ctx, s, b.Settings.Prompt, b.Settings.Given)
	if err != nil || b.Catching { // an agent that resolves a conflict has no other output
		return text, err
	}
	asked, err := b.questions()
	if err != nil {
		return text, err
	}
	form, err := b.form(ctx, s)
	return text + b.Secrets.Text(b.review(s)+asked) + form.ask(), err
}

// Fill fills in the variables of a text. Values that are given count before those of the spec.
func (b *Briefing) Fill(ctx context.Context, s *spec.File, text string, given map[string]string) (string, error) {
	quoted, err := b.quoteContext(ctx, s)
	if err != nil {
		return "", err
	}
	values := b.Values(s)
	if strings.Contains(text, "spec.context") || strings.Contains(text, "spec_context") {
		quoted += b.quoteCode(ctx, s)
	}
	values["spec.context"] = quoted
	prompt.AddSpecNames(values)
	maps.Copy(values, given)
	return b.Secrets.Text(prompt.Fill(text, values)), nil
}

// Values returns the values of all variables that need no file, also by the names that commands use for them. The
// discussion of a spec is not part of its text: it is not approved, so it must not instruct an agent. The comments of
// its reviews are a part of the prompt of their own.
func (b *Briefing) Values(s *spec.File) map[string]string {
	title := s.Title
	if title == "" {
		title = "(untitled)"
	}
	text := strings.TrimSpace(string(reviewed.Without(s.Doc.DropSections(spec.DiscussionHeading)).Body()))
	text += spellSource(s.Adopted())
	files := Bullets(s.Fields.TargetFiles, "None.")
	values := map[string]string{
		"project.name":      b.Settings.Project,
		"spec":              fmt.Sprintf("Spec `%s`\n\n%s\n\nTarget files:\n\n%s", s.ID, text, files),
		"spec.id":           s.ID,
		"spec.title":        title,
		"spec.type":         string(s.Fields.Type),
		"spec.model":        b.Job.Model,
		"spec.description":  text,
		"spec.quoted":       spec.Fenced("", text),
		"spec.path":         b.SpecFile(),
		"spec.target_files": files,
		"spec.criteria":     spellCriteria(s.Criteria()),
		"spec.checks":       spellChecks(criteria.PlanFor(s, s, b.Settings.Verify)),
		"spec.context":      "",
		"judge.criteria":    "",
		"conflict.files":    Bullets(b.Clashes, "None."),
		"target":            b.Job.Target,
		"worktree.path":     b.Tree,
		"worktree.branch":   b.Job.Branch,
		"worktree.isolated": strconv.FormatBool(b.Tree != b.Store.Home()),
		"attempt":           strconv.Itoa(b.Job.Attempt),
		"attempt.reason":    b.lastReason(),
		"attempt.note":      b.attemptNote(),
	}
	prompt.AddSpecNames(values)
	return values
}

// Bullets returns a Markdown list of items, or the text none if there are none.
func Bullets(items []string, none string) string {
	if len(items) == 0 {
		return none
	}
	return "- " + strings.Join(items, "\n- ")
}

func spellCriteria(all []spec.Criterion) string {
	if len(all) == 0 {
		return "The spec has no acceptance criteria."
	}
	var b strings.Builder
	for _, c := range all {
		how := "tick its box"
		switch {
		case c.Runs():
			how = "chant runs it"
		case c.Boxless:
			how = fmt.Sprintf("from %s; once it holds, check it as %s", c.File, cmp.Or(c.Key, c.ID))
		case c.File != "":
			how = "tick its box in " + c.File
		}
		fmt.Fprintf(&b, "%d. %s (%s)\n", c.Number, c.Text, how)
	}
	return strings.TrimRight(b.String(), "\n")
}

// spellChecks lists the commands by which the spec is verified.
func spellChecks(plan criteria.Plan) string {
	var b strings.Builder
	n := 0
	for _, item := range plan.Items {
		for _, step := range item.Steps {
			n++
			fmt.Fprintf(&b, "%d. `%s`", n, step.Line)
			if step.Options.Dir != "" {
				fmt.Fprintf(&b, " in `%s`", step.Options.Dir)
			}
			fmt.Fprintf(&b, " (%s)\n", checkOf(item))
		}
	}
	if n == 0 {
		return "Nothing: the boxes speak."
	}
	return strings.TrimRight(b.String(), "\n")
}

// checkOf names what asks for a check.
func checkOf(item criteria.Item) string {
	switch item.Source {
	case criteria.FromCriteria:
		return fmt.Sprintf("criterion %d", item.Number)
	case criteria.FromSpec:
		return "the spec's `verify`"
	case criteria.FromProject:
	}
	return "the project's `verify`"
}

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
	within, err := disk.RealBelow(tree, path)
	if errors.Is(err, disk.ErrOutside) {
		return nil, b.strayedContext(path, "is a link that leads out of the repository")
	}
	if err != nil {
		return nil, err
	}
	return b.Store.ReadTree(disk.RealPath(tree), filepath.ToSlash(within))
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
