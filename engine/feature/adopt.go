package feature

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"chant/engine"
	"chant/engine/author"
	"chant/engine/format/adopted"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/markdown"
)

// AdoptInput says which folders to adopt.
type AdoptInput struct {
	Paths  []string `json:"paths,omitempty" jsonschema:"Folders of features or changes; all that are not adopted yet when omitted"`
	DryRun bool     `json:"dry_run,omitempty" jsonschema:"Only report what would be adopted"`
}

// AdoptResult says which folders are specs now, or would be.
type AdoptResult struct {
	Adopted []AdoptedFolder `json:"adopted"`
	Known   []AdoptedFolder `json:"known,omitempty"` // that were adopted before
	DryRun  bool            `json:"dry_run,omitempty"`
}

// AdoptedFolder is a folder and its spec.
type AdoptedFolder struct {
	ID       string      `json:"id,omitempty"` // "" if it would be adopted
	Title    string      `json:"title"`
	Source   string      `json:"source"`
	Kind     string      `json:"kind"`
	Status   spec.Status `json:"status"`
	Phase    string      `json:"phase,omitempty"` // of a feature of spec-kit
	Done     int         `json:"tasks_done"`
	Tasks    int         `json:"tasks"`
	Criteria int         `json:"criteria"`
	Problem  string      `json:"problem,omitempty"`
	Commit   string      `json:"commit,omitempty"`
	Files    string      `json:"files_commit,omitempty"` // the commit of files of the folder that were not committed before
}

// Adopt makes specs of features of spec-kit and Kiro and changes of OpenSpec where they are: the spec names the folder, and nothing
// of its text is copied. A folder that is not committed is committed first, because runs start from commits. Errors:
// NotFound if there is nothing to adopt, or no such folder; Invalid for a folder that cannot be adopted.
func Adopt(ctx context.Context, p *engine.Project, in AdoptInput) (AdoptResult, error) {
	result, err := adopt(ctx, p, in)
	return engine.Done(result, err, "")
}

func adopt(ctx context.Context, p *engine.Project, in AdoptInput) (AdoptResult, error) {
	r := AdoptResult{Adopted: []AdoptedFolder{}, DryRun: in.DryRun}
	if err := engine.MayInside(p, "adopt", ""); err != nil && !in.DryRun {
		return r, err
	}
	// No link in a folder leads out of it.
	root, err := os.OpenRoot(engine.Home(p))
	if err != nil {
		return r, err
	}
	defer root.Close()
	files := root.FS()
	dirs, err := in.folders(p, files)
	if err != nil {
		return r, err
	}
	known, err := adoptedBefore(ctx, p)
	if err != nil {
		return r, err
	}
	for _, dir := range dirs {
		row, about := describe(files, dir)
		if s := known[dir]; s != nil {
			row.ID, row.Title, row.Status = s.ID, s.Title, s.Status
			r.Known = append(r.Known, row)
			continue
		}
		// Without paths, a folder that cannot be adopted is only reported.
		if row.Problem != "" && len(in.Paths) > 0 {
			return r, engine.Fail(engine.Invalid, next.Adopt.Help(), "%s", row.Problem)
		}
		// Another process may have adopted it since the specs were read.
		var meanwhile *takenError
		if !in.DryRun && row.Problem == "" {
			if err := adoptOne(ctx, p, &row, about); err != nil && !errors.As(err, &meanwhile) {
				return r, err
			}
		}
		if meanwhile != nil {
			row.ID, row.Title, row.Status = meanwhile.by.ID, meanwhile.by.Title, meanwhile.by.Status
			r.Known = append(r.Known, row)
			continue
		}
		r.Adopted = append(r.Adopted, row)
	}
	return r, nil
}

// folders returns the folders that are named, from the top of the repository, or all that can be adopted.
func (in AdoptInput) folders(p *engine.Project, files fs.FS) ([]string, error) {
	if len(in.Paths) == 0 {
		all, err := adopted.Find(files)
		if err == nil && len(all) == 0 {
			err = engine.Fail(engine.NotFound, next.Guide.On("feature"), "found no features of spec-kit (specs/NNN-name) or Kiro (.kiro/specs/NAME), and no changes of OpenSpec (openspec/changes/NAME)")
		}
		return all, err
	}
	var out []string
	for _, named := range in.Paths {
		dir, err := pathFromTop(p, named)
		if err != nil {
			return nil, err
		}
		if info, err := fs.Stat(files, dir); err != nil || !info.IsDir() {
			return nil, engine.Fail(engine.NotFound, next.Adopt.On(), "there is no folder %q in your checkout", dir)
		}
		// A folder may be named twice, in different ways.
		if !slices.Contains(out, dir) {
			out = append(out, dir)
		}
	}
	return out, nil
}

// pathFromTop returns a path as one from the top of the repository; one that is not absolute is that already.
func pathFromTop(p *engine.Project, named string) (string, error) {
	outside := engine.Fail(engine.Usage, next.Adopt.Help(), "%q is not a folder below the top of the repository", named)
	rel := filepath.FromSlash(named)
	if filepath.IsAbs(rel) {
		var err error
		if rel, err = filepath.Rel(engine.Home(p), rel); err != nil {
			return "", outside
		}
	}
	// A spec of the whole repository would make every file its source.
	if rel = filepath.Clean(rel); !filepath.IsLocal(rel) || rel == "." {
		return "", outside
	}
	return filepath.ToSlash(rel), nil
}

// adoptedBefore maps folders to the specs that adopt them as a whole.
func adoptedBefore(ctx context.Context, p *engine.Project) (map[string]*spec.Spec, error) {
	set, err := p.Store.Load(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string]*spec.Spec{}
	for _, s := range set.Specs {
		// A spec of a part does not keep the folder from being adopted.
		if s.Fields.Source != "" && len(s.Fields.Part) == 0 {
			out[path.Clean(s.Fields.Source)] = s
		}
	}
	return out, nil
}

// describe reads a folder as the spec that adopts it would.
func describe(files fs.FS, dir string) (AdoptedFolder, *spec.Adopted) {
	about := adopted.Describe(files, dir)
	a := adopted.Read(files, spec.Fields{Source: dir})
	row := AdoptedFolder{
		Title: about.Title, Source: dir, Kind: a.Kind, Status: spec.Pending, Phase: about.Phase, Done: about.Done, Tasks: about.Tasks,
		Criteria: len(a.Criteria), Problem: a.Problem,
	}
	if err := engine.PlainText("its title", about.Title); row.Problem == "" && err != nil {
		row.Problem = err.Error()
	}
	if a.Kind != adopted.OpenSpec && about.Tasks > 0 && about.Done == about.Tasks {
		// A change of OpenSpec is done when it is archived, which a landing does.
		row.Status = spec.Completed
	}
	return row, a
}

// takenError is returned by adoptOne if another process adopted the folder in the meantime.
type takenError struct{ by *spec.Spec }

func (e *takenError) Error() string {
	return fmt.Sprintf("%q was adopted meanwhile, as %s", e.by.Fields.Source, e.by.ID)
}

// adoptOne commits what is not committed of the folder, and adds the spec.
func adoptOne(ctx context.Context, p *engine.Project, row *AdoptedFolder, a *spec.Adopted) error {
	tracked, err := p.Store.Tracked(ctx)
	if err != nil {
		return err
	}
	// A project that git ignores runs from files, not from commits.
	if tracked {
		if row.Files, err = store.CommitSource(ctx, p.Store, row.Source, "Add "+row.Source+", which a spec adopts\n"); err != nil {
			return err
		}
	}
	edits := []markdown.Edit{markdown.Set("source", row.Source)}
	if row.Status == spec.Completed {
		edits = append(edits, markdown.Set("status", string(spec.Completed)), markdown.Set("completed_at", p.Now().UTC().Format(time.RFC3339)))
		// A criterion without a box cannot be ticked in the folder.
		if met := boxlessCriteria(a); len(met) > 0 {
			edits = append(edits, markdown.Set("met", met))
		}
	}
	added, err := author.Add(ctx, p, author.AddInput{Description: row.Title, Extend: func(ctx context.Context, _ string, doc *markdown.Document, _ *store.Batch) (*markdown.Document, error) {
		// No other spec is added meanwhile.
		known, err := adoptedBefore(ctx, p)
		if err != nil {
			return nil, err
		}
		if s := known[row.Source]; s != nil {
			return nil, &takenError{s}
		}
		return doc.Apply(edits...)
	}})
	row.ID, row.Commit = added.ID, added.Commit
	return err
}

// boxlessCriteria lists the criteria of a folder that have no box.
func boxlessCriteria(a *spec.Adopted) []string {
	var out []string
	for _, c := range a.Criteria {
		if c.Boxless {
			out = append(out, c.ID)
		}
	}
	return out
}
