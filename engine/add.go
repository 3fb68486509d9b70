package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"chant/engine/lint"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/verify"
	"chant/gitops/lockfile"
	"chant/markdown"
	"chant/providers/cli"
	"chant/providers/text"
)

// AddInput describes a new spec.
type AddInput struct {
	Description   string   `json:"description" jsonschema:"Description of work to be done (becomes spec title)"`
	Type          string   `json:"type,omitempty" jsonschema:"Type: code, task, driver, documentation, research or group"`
	Prompt        string   `json:"prompt,omitempty" jsonschema:"Optional prompt template name to use"`
	Provider      string   `json:"provider,omitempty" jsonschema:"Provider to work it with"`
	Labels        []string `json:"labels,omitempty" jsonschema:"Labels"`
	TargetFiles   []string `json:"target_files,omitempty" jsonschema:"Files the work is about"`
	DependsOn     []string `json:"depends_on,omitempty" jsonschema:"Specs that have to be done first (full or partial IDs)"`
	Criteria      []string `json:"criteria,omitempty" jsonschema:"Acceptance criteria, one text each"`
	Group         string   `json:"group,omitempty" jsonschema:"Driver spec that gets the new one as a member"`
	NeedsApproval bool     `json:"needs_approval,omitempty" jsonschema:"Work waits until a person approves"`

	sources sourceValues // what keys are derived from
}

// AddResult names the new spec.
type AddResult struct {
	ID      string            `json:"id"`
	Title   string            `json:"title"`
	Path    string            `json:"path"`
	Commit  string            `json:"commit,omitempty"`
	Derived map[string]string `json:"derived,omitempty"` // keys that the settings derive

	Lint lint.Score `json:"lint"` // how well it can be worked as it stands

	vacuous bool // there is nothing to verify
	idle    bool // the provider shell works it, and it has no script
}

// Add writes a new pending spec and commits it. Errors: Usage for an empty
// description, an unknown type or a dependency that would close a circle; Invalid
// for texts and lists with what no spec can hold; NotFound and Usage for dependencies that cannot be resolved.
func (e *Engine) Add(ctx context.Context, in AddInput) (AddResult, error) {
	result, err := e.add(ctx, in)
	return done(result, err, result.ID)
}

func (e *Engine) add(ctx context.Context, in AddInput) (AddResult, error) {
	err := in.check()
	if err != nil {
		return AddResult{}, err
	}
	if in.DependsOn, err = e.resolveDeps(ctx, in.DependsOn); err != nil {
		return AddResult{}, err
	}
	if in.Group != "" {
		if in.Group, err = e.find(ctx, in.Group); err != nil {
			return AddResult{}, err
		}
		if err := e.openGroup(ctx, in); err != nil {
			return AddResult{}, err
		}
	}
	turn, err := e.store.Local(store.Locks, "add.lock")
	if err != nil {
		return AddResult{}, err
	}
	lock, err := lockfile.AcquireWait(ctx, turn, "add") // a number is given once
	if err != nil {
		return AddResult{}, err
	}
	var warnings []string
	if in.sources, warnings, err = e.sources(ctx); err != nil {
		return AddResult{}, errors.Join(err, lock.Release())
	}
	result, err := e.addNext(ctx, in)
	for _, text := range append(warnings, outsideOf(e.config.Enterprise.Derived, result.ID, result.Derived)...) {
		e.warn(result.ID, text)
	}
	if result.vacuous {
		e.warn(result.ID, fmt.Sprintf("%s: it has no criterion and no command; next: chant edit %s", verify.Nothing, result.ID))
	}
	if result.idle {
		e.warn(result.ID, fmt.Sprintf("provider %q works it, and it has no ```sh block under a heading %q; next: chant edit %s", cli.ShellName, spec.ScriptHeading, result.ID))
	}
	if head, headErr := e.repo.Head(ctx, e.Home()); headErr == nil && head.Branch == "" && result.Commit != "" {
		e.warn(result.ID, "home is on no branch: the commit of the new spec is on none either")
	}
	return result, errors.Join(err, lock.Release())
}

// openGroup refuses a driver that is done: what has landed with it was approved and judged as a whole, and
// a further member would leave it completed with open work.
func (e *Engine) openGroup(ctx context.Context, in AddInput) error {
	driver, err := e.store.Get(ctx, in.Group)
	if err != nil {
		return err
	}
	switch driver.Status {
	case spec.Completed:
		title := text.FirstLine(in.Description)
		return fail(State, "chant add --depends-on "+driver.ID+" "+shellWord(title), "driver %q is completed, and a further member would not reopen it; add a spec that depends on it", driver.ID)
	case spec.Cancelled:
		return fail(State, "chant reset "+driver.ID, "driver %q is cancelled; reset it before it gets a member", driver.ID)
	}
	return nil
}

// shellWord is a text as one word of a POSIX shell.
func shellWord(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// check refuses what cannot stand in a spec.
func (in *AddInput) check() error {
	if strings.TrimSpace(in.Description) == "" {
		return fail(Usage, "chant add --help", "description is empty")
	}
	if in.Type != "" && !slices.Contains(spec.Types(), spec.Type(in.Type)) {
		return fail(Usage, "chant add --help", "unknown type %q (one of code, task, driver, documentation, research, group)", spec.Echo(in.Type))
	}
	for _, text := range []struct{ name, value string }{{"description", in.Description}, {"prompt", in.Prompt}, {"provider", in.Provider}} {
		if err := plainText(text.name, text.value); err != nil {
			return err
		}
	}
	return plainLists(list{name: "depends_on", items: &in.DependsOn}, list{name: "labels", items: &in.Labels}, list{name: "target_files", items: &in.TargetFiles}, list{name: "criteria", items: &in.Criteria})
}

// addNext tries ids until one is free: a file may be there that no list shows.
func (e *Engine) addNext(ctx context.Context, in AddInput) (AddResult, error) {
	ids, err := e.allIDs(ctx)
	if err != nil {
		return AddResult{}, err
	}
	for {
		result, err := e.addOnce(ctx, in, ids)
		var taken *store.ExistsError
		if !errors.As(err, &taken) {
			return result, err
		}
		ids = append(ids, result.ID)
	}
}

// allIDs lists active and archived ids: a number is never given twice.
func (e *Engine) allIDs(ctx context.Context) ([]string, error) {
	active, err := e.store.IDs(ctx)
	if err != nil {
		return nil, err
	}
	archived, err := e.store.ArchivedIDs()
	return append(active, archived...), err
}

// resolveDeps turns what was typed into ids, archived ones included.
func (e *Engine) resolveDeps(ctx context.Context, texts []string) ([]string, error) {
	ids, err := e.allIDs(ctx)
	if err != nil {
		return nil, err
	}
	deps := make([]string, 0, len(texts))
	for _, text := range texts {
		id, err := spec.Resolve(text, ids, e.Now())
		if err != nil {
			return nil, err
		}
		if !slices.Contains(deps, id) {
			deps = append(deps, id)
		}
	}
	return deps, nil
}

func (e *Engine) addOnce(ctx context.Context, in AddInput, ids []string) (AddResult, error) {
	id, err := e.newID(in, ids)
	if err != nil {
		return AddResult{}, err
	}
	doc, err := compose(id, in)
	if err != nil {
		return AddResult{}, err
	}
	fields := e.derived(doc, id, in.sources)
	if doc, err = withDerived(doc, e.config.Enterprise.Derived, fields); err != nil {
		return AddResult{}, err
	}
	if err := e.noCircle(ctx, id, doc); err != nil {
		return AddResult{}, err
	}
	score, err := e.scoreOf(id, doc)
	if err != nil {
		return AddResult{}, err
	}
	s, err := spec.FromDocument(id, doc)
	if err != nil {
		return AddResult{}, err
	}
	commit, err := e.store.Create(ctx, id, doc.Bytes())
	return AddResult{ID: id, Title: doc.Title(), Path: store.SpecPath(id), Commit: commit, Derived: fields, Lint: score, vacuous: e.vacuous(s), idle: e.scriptless(s)}, err
}

// scriptless reports whether the provider shell would work a spec that has no script.
func (e *Engine) scriptless(s *spec.Spec) bool {
	_, ok := s.Script()
	return !ok && !s.Fields.Type.Container() && e.providerOf(s) == cli.ShellName
}

func (e *Engine) newID(in AddInput, ids []string) (string, error) {
	if in.Group != "" {
		return spec.NextMember(in.Group, ids), nil
	}
	suffix, err := e.suffix()
	if err != nil {
		return "", err
	}
	return spec.NewID(e.Now(), string(e.config.Project.Prefix), suffix, ids).String(), nil
}

// suffix draws three characters of base 36.
func (e *Engine) suffix() (string, error) {
	const digits = "0123456789abcdefghijklmnopqrstuvwxyz"
	var out strings.Builder
	for out.Len() < 3 {
		var b [1]byte
		if _, err := io.ReadFull(e.Rand, b[:]); err != nil {
			return "", err
		}
		if b[0] < 252 { // the largest multiple of 36: every digit is as likely
			out.WriteByte(digits[b[0]%36])
		}
	}
	return out.String(), nil
}

// noCircle refuses a document with which specs would wait for each other.
func (e *Engine) noCircle(ctx context.Context, id string, doc *markdown.Document) error {
	s, err := spec.FromDocument(id, doc)
	if err != nil {
		return err
	}
	set, err := e.store.Load(ctx)
	if err != nil {
		return err
	}
	others := slices.DeleteFunc(set.Specs, func(o *spec.Spec) bool { return o.ID == id })
	for _, cycle := range spec.NewGraph(append(others, s), set.Archived).Cycles() {
		if slices.Contains(cycle, id) {
			return fail(Usage, "chant list", "dependencies would go in a circle: %s", strings.Join(cycle, " -> "))
		}
	}
	return nil
}
