package run

import (
	"context"
	"embed"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"chant/engine/spec"
	"chant/markdown"
)

// Prompts holds the shipped prompts, as prompts/<name>.md.
//
//go:embed prompts/*.md
var Prompts embed.FS

// prompt writes what the agent is told to the run's cache.
func (r *Run) prompt(ctx context.Context) error {
	s, err := r.ownSpec(ctx)
	if err != nil {
		return err
	}
	text, err := r.Told(ctx, s)
	if err != nil {
		return err
	}
	_, err = r.Store.WriteCache(r.Job.ID, "prompt.md", []byte(text))
	return err
}

// Told is all that the agent is told: the prompt, and the form of its output.
func (r *Run) Told(ctx context.Context, s *spec.Spec) (string, error) {
	text, err := r.Render(s)
	if err != nil || r.catching { // who resolves a conflict has nothing else to say
		return text, err
	}
	form, err := r.form(ctx, s)
	return text + form.ask(), err
}

// Render fills the prompt's placeholders with what is known of the run. The discussion of
// a spec is no part of it: nobody approves of that, so nothing there tells an agent what to do. Unknown
// placeholders stay as they are, and nothing that is filled in is searched again.
func (r *Run) Render(s *spec.Spec) (string, error) {
	doc, err := markdown.Parse("prompt", []byte(r.Settings.Prompt))
	if err != nil {
		return "", err
	}
	context, err := r.quoteContext(s)
	if err != nil {
		return "", err
	}
	title := s.Title
	if title == "" {
		title = "(untitled)"
	}
	return strings.NewReplacer(
		"{{project.name}}", r.Settings.Project,
		"{{spec.id}}", s.ID,
		"{{spec.title}}", title,
		"{{spec.description}}", strings.TrimSpace(string(s.Doc.DropSections(spec.DiscussionHeading).Body())),
		"{{spec.path}}", r.specFile(),
		"{{spec.target_files}}", bullets(s.Fields.TargetFiles, "None."),
		"{{spec.criteria}}", spellCriteria(spec.Criteria(s.Doc)),
		"{{spec.context}}", context,
		"{{conflict.files}}", bullets(r.Clashes, "None."),
		"{{target}}", r.Job.Target,
		"{{worktree.path}}", r.Tree,
		"{{worktree.branch}}", r.Job.Branch,
		"{{attempt}}", strconv.Itoa(r.Job.Attempt),
		"{{attempt.note}}", r.attemptNote(),
	).Replace(strings.TrimLeft(string(doc.Body()), "\n")), nil
}

// attemptNote tells a further attempt what became of the last one.
func (r *Run) attemptNote() string {
	last := r.History.Last()
	switch {
	case last == nil || last.Gone:
		return ""
	case last.Reason != "":
		return fmt.Sprintf("- The last attempt failed: %s. What it committed is on this branch.\n", last.Reason)
	case !last.Closed:
		return "- The last attempt was interrupted. What it left is committed on this branch.\n"
	}
	return ""
}

// quoteContext quotes the files under the spec's context key, each behind its
// path; one that cannot be read is said to be so.
func (r *Run) quoteContext(s *spec.Spec) (string, error) {
	var b strings.Builder
	for _, path := range s.Fields.Context {
		if !filepath.IsLocal(path) {
			return "", &Failure{Kind: Strayed, Message: fmt.Sprintf("context file %q leaves the repository", path)}
		}
		src, err := r.Store.ReadTree(r.Tree, path)
		if err != nil {
			fmt.Fprintf(&b, "\n## Context: %s\n\n(cannot be read)\n", path)
			continue
		}
		fmt.Fprintf(&b, "\n## Context: %s\n\n%s\n", path, spec.Fenced("", string(src)))
	}
	return b.String(), nil
}

func bullets(items []string, none string) string {
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
		if c.Runs() {
			how = "chant runs it"
		}
		fmt.Fprintf(&b, "%d. %s (%s)\n", c.Number, c.Text, how)
	}
	return strings.TrimRight(b.String(), "\n")
}
