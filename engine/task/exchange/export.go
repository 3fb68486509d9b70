package exchange

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/format/lotar"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/task"
	"chant/engine/spec/taskfields"
	"chant/engine/store/history"
	"chant/engine/task/taskboard"
)

// ExportInput says where to write a directory of lotar.
type ExportInput struct {
	Dir string `json:"dir" jsonschema:"The directory to write; it must not exist or be empty"`
}

// ExportResult says what was written.
type ExportResult struct {
	Dir      string   `json:"dir"`
	Tasks    int      `json:"tasks"`
	Sprints  int      `json:"sprints"`
	Numbered []string `json:"numbered,omitempty"` // specs without a number, and the number that they have in the directory
	Invalid  []string `json:"invalid,omitempty"`  // files that cannot be read and are therefore missing, with the reason
}

// Export writes all specs and sprints, archived specs too, as a directory that lotar can read. Errors: Usage if the
// directory is not empty.
func Export(ctx context.Context, p *engine.Project, in ExportInput) (ExportResult, error) {
	result, err := exportAll(ctx, p, in)
	return engine.Done(result, err, "")
}

func exportAll(ctx context.Context, p *engine.Project, in ExportInput) (ExportResult, error) {
	dir, err := freeFolder(in.Dir)
	if err != nil {
		return ExportResult{}, err
	}
	x, err := newOutgoing(ctx, p)
	if err != nil {
		return ExportResult{}, err
	}
	result := ExportResult{Dir: dir, Numbered: x.numbered, Invalid: x.invalid}
	files, err := x.files(ctx, &result)
	if err != nil {
		return ExportResult{}, err
	}
	return result, writeFolder(dir, files)
}

// freeFolder returns the absolute path of a folder that does not exist or is empty.
func freeFolder(dir string) (string, error) {
	if strings.TrimSpace(dir) == "" {
		return "", engine.Fail(engine.Usage, next.Export.Help(), "name the directory to write")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	entries, err := os.ReadDir(abs)
	if errors.Is(err, fs.ErrNotExist) {
		return abs, nil
	}
	if err != nil || len(entries) > 0 {
		return "", engine.Fail(engine.Usage, next.Export.Help(), "%q exists and is not an empty directory", dir)
	}
	return abs, nil
}

// outgoing is an export under way.
type outgoing struct {
	p        *engine.Project
	from     lotar.Workspace
	settings *task.Settings
	specs    []*spec.File
	keys     map[string]string // numbers of tasks by the ids of their specs
	members  map[int][]string  // ids by the sprint that they belong to
	numbered []string
	invalid  []string
}

func newOutgoing(ctx context.Context, p *engine.Project) (*outgoing, error) {
	board, err := taskboard.Open(ctx, p, "")
	if err != nil {
		return nil, err
	}
	x := &outgoing{p: p, from: board.Workspace, settings: board.Settings, keys: map[string]string{}, members: map[int][]string{}}
	set, specs, err := p.Store.LoadFiles(ctx)
	if err != nil {
		return nil, err
	}
	archived, unreadable, err := p.Store.LoadArchived()
	if err != nil {
		return nil, err
	}
	for _, bad := range slices.Concat(set.Invalid, unreadable) {
		x.invalid = append(x.invalid, bad.Err.Error())
	}
	x.specs = slices.Concat(specs, archived)
	// Specs without a number get theirs in the order of their creation.
	slices.SortStableFunc(x.specs, func(a, b *spec.File) int { return spec.Compare(a.ID, b.ID) })
	x.number()
	for _, s := range x.specs {
		for _, n := range s.Fields.Sprints {
			x.members[n] = append(x.members[n], s.ID)
		}
	}
	return x, nil
}

// number collects the numbers of all specs, and gives one to each spec that has none.
func (x *outgoing) number() {
	highest := 0
	prefix := x.settings.DefaultProject
	taken := map[string]bool{}
	for _, s := range x.specs {
		of, n, ok := task.ParseKey(string(s.Fields.Task))
		// Two branches may have given the same number; the first spec keeps it, and the other gets a new one.
		if !ok || taken[task.Key(of, n)] {
			continue
		}
		x.keys[s.ID] = task.Key(of, n)
		taken[x.keys[s.ID]] = true
		if of == prefix {
			highest = max(highest, n)
		}
	}
	// Only in a second pass, after the highest number is known.
	for _, s := range x.specs {
		if x.keys[s.ID] == "" {
			highest++
			x.keys[s.ID] = task.Key(prefix, highest)
			x.numbered = append(x.numbered, s.ID+" is "+x.keys[s.ID])
		}
	}
}

// files returns the files of the directory by their paths in it.
func (x *outgoing) files(ctx context.Context, result *ExportResult) (map[string][]byte, error) {
	files, err := x.from.ConfigFiles(x.settings)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, s := range x.specs {
		ids = append(ids, s.ID)
	}
	spans, err := history.Spans(ctx, x.p.Store, x.p.Repo, ids...)
	if err != nil {
		return nil, err
	}
	past, err := x.changes(ctx, spans)
	if err != nil {
		return nil, err
	}
	for _, s := range x.specs {
		src, err := x.taskFile(s, spans[s.ID], past[s.ID])
		if err != nil {
			return nil, err
		}
		prefix, n, _ := task.ParseKey(x.keys[s.ID])
		files[filepath.Join(prefix, strconv.Itoa(n)+".yml")] = src
		result.Tasks++
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	sprints, err := sprintsOf(x.p)
	if err != nil {
		return nil, err
	}
	for n, s := range sprints {
		src, err := x.sprintFile(s)
		if err != nil {
			return nil, err
		}
		files[filepath.Join(lotar.SprintsFolder, strconv.Itoa(n)+".yml")] = src
		result.Sprints++
	}
	return files, nil
}

// taskFile returns the file of the task for a spec.
func (x *outgoing) taskFile(s *spec.File, span history.Span, past []taskfields.PastChange) ([]byte, error) {
	t, err := exportTask(s, x.settings, x.keys)
	if err != nil {
		return nil, err
	}
	// The file of an imported task says when it was created, or has no such key.
	if t.Created == "" && s.Doc.KeyLine(originalKey) == 1 {
		t.Created = createdAt(s.ID, span)
	}
	t.Modified = stampOf(span.Modified)
	t.History = append(t.History, past...)
	root, err := restoreOriginals(s.Doc, t.Node(), taskDigests(s))
	if err != nil {
		return nil, err
	}
	return lotar.Marshal(root)
}

// createdAt is when a spec was first committed, else the day of its id.
func createdAt(id string, span history.Span) string {
	if !span.Created.IsZero() {
		return stampOf(span.Created)
	}
	if parsed, err := spec.ParseID(id); err == nil {
		return parsed.Date + "T00:00:00Z"
	}
	return ""
}

// sprintFile returns the file of a sprint. Its tasks are those that name it, first those that it ranks.
func (x *outgoing) sprintFile(s sprintFile) ([]byte, error) {
	ids := slices.Clone(x.members[s.ID])
	rank := func(id string) int {
		if n := s.Rank(id); n > 0 {
			return n
		}
		return len(s.Order) + 1
	}
	slices.SortStableFunc(ids, func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), task.CompareKeys(x.keys[a], x.keys[b]))
	})
	root, err := restoreOriginals(s.doc, exportedSprint(s.Sprint, x.keys, ids).Node(), nil)
	if err != nil {
		return nil, err
	}
	return lotar.Marshal(root)
}

// writeFolder writes files below a folder that is not there, completely or not at all.
func writeFolder(dir string, files map[string][]byte) (err error) {
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return err
	}
	// Built beside its place and then renamed, so that an export is complete or not there.
	building, err := os.MkdirTemp(filepath.Dir(dir), ".chant-export-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(building))
		}
	}()
	for name, src := range files {
		at := filepath.Join(building, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(at, src, 0o666); err != nil {
			return err
		}
	}
	// MkdirTemp makes folders that only their owner can read.
	if err := os.Chmod(building, 0o755); err != nil {
		return err
	}
	// os.Rename refuses a folder as the new name, also an empty one.
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("replace empty folder: %w", err)
	}
	return os.Rename(building, dir)
}

// changes returns what happened to specs since they are in this repository. Those that were only imported have nothing.
func (x *outgoing) changes(ctx context.Context, spans map[string]history.Span) (map[string][]taskfields.PastChange, error) {
	var ids []string
	for _, s := range x.specs {
		// Specs that were only imported have no change of their own.
		if span := spans[s.ID]; !span.Modified.IsZero() {
			ids = append(ids, s.ID)
		}
	}
	all, err := history.Find(ctx, x.p.Store, x.p.Repo, ids...)
	if err != nil {
		return nil, err
	}
	out := map[string][]taskfields.PastChange{}
	for id, entries := range all {
		for i, e := range entries {
			if i == 0 || slices.Contains(e.Events, history.Import) {
				// Its creation, which lotar does not record, or its import.
				continue
			}
			if changed := x.lotarChanges(e.Changes); len(changed) > 0 {
				out[id] = append(out[id], taskfields.PastChange{At: stampOf(e.At), Actor: e.Actor, Changes: changed})
			}
		}
	}
	return out, nil
}

// lotarChanges returns the changes of fields that lotar has, under its names.
func (x *outgoing) lotarChanges(changes []taskfields.FieldChange) []taskfields.FieldChange {
	known := []string{
		"title", "status", "priority", "type", "reporter", "assignee", "due_date", "effort", "subtitle", "description", "tags", "relationships",
		"custom_fields", "sprints",
	}
	return slices.DeleteFunc(x.settings.Changes(changes), func(c taskfields.FieldChange) bool {
		return !slices.Contains(known, c.Field) && !strings.HasPrefix(c.Field, "comment")
	})
}

func stampOf(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.RFC3339)
}
