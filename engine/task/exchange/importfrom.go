package exchange

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/format/tracker"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/task"
	"chant/engine/spec/taskfields"
	"chant/engine/spec/versions"
	"chant/engine/store"
	"chant/gitops/lockfile"
	"chant/markdown"
)

// ImportFromInput says what to import from another tool.
type ImportFromInput struct {
	Tool   tracker.Tool `json:"tool" jsonschema:"backlog, beads, task-master or github"`
	Path   string       `json:"path" jsonschema:"File or folder of that tool"`
	DryRun bool         `json:"dry_run,omitempty" jsonschema:"Only report what would be imported"`

	Content []byte `json:"-"` // in place of a file
}

// ImportFromResult says what an import has made and changed, or would.
type ImportFromResult struct {
	Tool      tracker.Tool   `json:"tool"`
	Path      string         `json:"path"`
	Added     []ImportedItem `json:"added"`
	Changed   []ImportedItem `json:"changed"`
	Unchanged int            `json:"unchanged"`
	LeftAlone []ImportedItem `json:"left_alone,omitempty"` // that changed there, and do not change here
	Left      []string       `json:"left,omitempty"`       // what has no place in a spec
	Warnings  []string       `json:"warnings,omitempty"`
	Commit    string         `json:"commit,omitempty"`
	DryRun    bool           `json:"dry_run,omitempty"`
}

// ImportedItem is an item and its spec.
type ImportedItem struct {
	Item         string      `json:"item"`
	ID           string      `json:"id"`
	Title        string      `json:"title"`
	Status       spec.Status `json:"status"`
	DependsOn    int         `json:"depends_on"`
	Members      int         `json:"members,omitempty"`
	Criteria     int         `json:"criteria"`
	Comments     int         `json:"comments"`
	Conflicts    []string    `json:"conflicts,omitempty"` // what changed here and there, and stays as it is here
	WhyLeftAlone string      `json:"why_left_alone,omitempty"`
}

// ImportFrom makes specs of the tasks and issues of another tool, in one commit. What was imported before is merged: what
// changed there since comes, what changed here stays. Errors: Usage for an unknown tool; NotFound without a file of it;
// Invalid for a file that cannot be read, and then nothing is imported.
func ImportFrom(ctx context.Context, p *engine.Project, in ImportFromInput) (ImportFromResult, error) {
	result, err := importFrom(ctx, p, in)
	return engine.Done(result, err, "")
}

func importFrom(ctx context.Context, p *engine.Project, in ImportFromInput) (r ImportFromResult, err error) {
	r = ImportFromResult{Tool: in.Tool, Path: in.Path, Added: []ImportedItem{}, Changed: []ImportedItem{}, DryRun: in.DryRun}
	if err := engine.MayInside(p, "import", ""); err != nil && !in.DryRun {
		return r, err
	}
	read, err := in.read(ctx)
	if err != nil {
		return r, err
	}
	r.Left = read.Left
	if !in.DryRun {
		// A spec that is added meanwhile could get an id that this import gives.
		release, err := takeTurn(ctx, p)
		if err != nil {
			return r, err
		}
		defer func() { err = errors.Join(err, release()) }()
		if err := store.FinishKilled(ctx, p.Store); err != nil {
			return r, err
		}
	}
	im := importer{p: p, in: in, r: &r, batch: store.NewBatch(p.Store)}
	defer func() {
		for _, h := range im.held {
			err = errors.Join(err, h.Release())
		}
	}()
	if err := im.load(ctx); err != nil {
		return r, err
	}
	im.overlay(read.Items)
	if err := im.fill(ctx, read.Items); err != nil {
		return r, err
	}
	im.warnOfCycles()
	if in.DryRun || len(r.Added)+len(r.Changed) == 0 {
		return r, nil
	}
	record, err := im.encode()
	if err != nil {
		return r, err
	}
	im.batch.Write(im.path(), im.record, record)
	saved, err := im.batch.Commit(ctx, fmt.Sprintf("import %s of %s", task.WithNoun(len(r.Added)+len(r.Changed), "item"), in.Tool.Name()))
	r.Commit = saved.Commit
	return r, err
}

// usualPlaces lists where below a folder a tool keeps its file, or its folder of tasks.
func usualPlaces(t tracker.Tool) []string {
	switch t {
	case tracker.Backlog:
		return []string{"backlog/tasks", ".backlog/tasks", "tasks"}
	case tracker.Beads:
		return []string{".beads/issues.jsonl", "issues.jsonl", ".beads/beads.jsonl", "beads.jsonl"}
	case tracker.TaskMaster:
		return []string{".taskmaster/tasks/tasks.json", "tasks/tasks.json", "tasks.json"}
	}
	return nil
}

// read reads the items of the file or folder.
func (in ImportFromInput) read(ctx context.Context) (tracker.Result, error) {
	if !slices.Contains(tracker.Tools(), in.Tool) {
		return tracker.Result{}, engine.Fail(engine.Usage, next.Guide.On("import"), "unknown tool %q (one of backlog, beads, task-master, github)", spec.Echo(string(in.Tool)))
	}
	files, folder, err := []tracker.File{{Path: in.Path, Content: in.Content}}, "", error(nil)
	if in.Content == nil {
		files, folder, err = in.files(ctx)
	}
	if err != nil {
		return tracker.Result{}, err
	}
	read, err := tracker.Read(in.Tool, files)
	if fault, ok := errors.AsType[*tracker.FileError](err); ok {
		fault.Path = filepath.Join(folder, fault.Path)
		return read, engine.Fail(engine.Invalid, next.EditFile(fault.Path), "%s", fault)
	}
	if err == nil && len(read.Items) == 0 {
		err = engine.Fail(engine.NotFound, next.Guide.On("import"), "%q has nothing of %s to import", in.Path, in.Tool.Name())
	}
	return read, err
}

// files reads the files of a tool, whose paths are below the folder.
func (in ImportFromInput) files(ctx context.Context) (files []tracker.File, folder string, err error) {
	name := in.Path
	info, err := os.Stat(name)
	if err == nil && info.IsDir() {
		// The task folder of Backlog.md, and the file of the others.
		at := slices.IndexFunc(usualPlaces(in.Tool), func(place string) bool {
			found, err := os.Stat(filepath.Join(in.Path, place))
			return err == nil && found.IsDir() == (in.Tool == tracker.Backlog)
		})
		if at < 0 {
			err = fs.ErrNotExist
		} else if name = filepath.Join(in.Path, usualPlaces(in.Tool)[at]); in.Tool == tracker.Backlog {
			name = filepath.Dir(name)
			files, err = readFolder(name)
			return files, name, err
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", engine.Fail(engine.NotFound, next.Guide.On("import"), "there is no file of %s at %q", in.Tool.Name(), in.Path)
	}
	if err != nil {
		return nil, "", err
	}
	src, err := readInput(ctx, name)
	// A task of Backlog.md may be named alone; its folder says something of its status.
	if in.Tool == tracker.Backlog {
		folder = filepath.Dir(filepath.Dir(name))
		name = filepath.Join(filepath.Base(filepath.Dir(name)), filepath.Base(name))
	}
	return []tracker.File{{Path: filepath.ToSlash(name), Content: src}}, folder, err
}

// readFolder reads the Markdown and the settings below a folder of Backlog.md.
func readFolder(dir string) (out []tracker.File, err error) {
	// No link in the folder leads out of it.
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || path.Ext(name) != ".md" && name != "config.yml" {
			return err
		}
		src, err := fs.ReadFile(root.FS(), name)
		out = append(out, tracker.File{Path: name, Content: src})
		return err
	})
	return out, err
}

// imported is an item and the spec that was made of it.
type imported struct {
	Spec string       `json:"spec"`
	Item tracker.Item `json:"item"`
}

// importer is an import under way. Its items are known by their ids in upper case.
type importer struct {
	p     *engine.Project
	in    ImportFromInput
	r     *ImportFromResult
	batch *store.Batch
	held  []*engine.Held

	record []byte              // the file of the last import, nil if there was none
	before map[string]imported // what the last import has read
	now    map[string]imported // the same with what is read now
	specs  map[string]*spec.Spec
	gone   map[string]bool       // archived specs, and files that cannot be read
	taken  map[string]string     // names of specs that no import has made, in upper case
	ids    []string              // of all specs
	after  map[string]*spec.Spec // as they will be
}

func (im *importer) path() string { return store.ImportsDir + "/" + string(im.in.Tool) + ".jsonl" }

// load reads what the last import has read, and the specs.
func (im *importer) load(ctx context.Context) error {
	im.before, im.taken, im.specs, im.gone, im.after = map[string]imported{}, map[string]string{}, map[string]*spec.Spec{}, map[string]bool{}, map[string]*spec.Spec{}
	src, err := im.p.Store.ReadTree(engine.Home(im.p), im.path())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	made := map[string]bool{}
	im.record = src
	line := 0
	for text := range bytes.Lines(src) {
		line++
		var one imported
		if err := json.Unmarshal(text, &one); err != nil {
			return engine.Fail(engine.Invalid, next.EditFile(im.path()), "%s:%d: %s", im.path(), line, err)
		}
		im.before[strings.ToUpper(one.Item.ID)], made[one.Spec] = one, true
	}
	set, err := im.p.Store.Load(ctx)
	if err != nil {
		return err
	}
	archived, _, err := im.p.Store.LoadArchived()
	if err != nil {
		return err
	}
	all := slices.Clone(set.Specs)
	for _, s := range set.Specs {
		im.specs[s.ID], im.after[s.ID] = s, s
	}
	for _, s := range archived {
		all = append(all, &s.Spec)
	}
	for _, s := range all {
		for _, name := range append([]string{string(s.Fields.Task)}, s.Fields.Aliases...) {
			if name != "" && !made[s.ID] {
				im.taken[strings.ToUpper(name)] = s.ID
			}
		}
	}
	im.ids = append(set.IDs(), set.Archived...)
	for _, id := range im.ids {
		im.gone[id] = im.specs[id] == nil
	}
	return nil
}

// overlay adds what is read now to what was read before, and gives new items the ids of their specs.
func (im *importer) overlay(items []tracker.Item) {
	im.now = maps.Clone(im.before)
	byDay := map[string][]string{}
	for _, text := range im.ids {
		if id, err := spec.ParseID(text); err == nil {
			byDay[id.Date] = append(byDay[id.Date], text)
		}
	}
	for _, it := range items {
		key := strings.ToUpper(it.ID)
		one, known := im.before[key]
		switch other := im.takenBy(it); {
		case known && one.Item.Created != it.Created && one.Item.Title != it.Title:
			im.warn("%s is another item than the one that was imported (created %s), so it is not imported", it.ID, cmp.Or(one.Item.Created, "at an unknown time"))
			continue
		case !known && other != "":
			im.warn("%s is the name of spec %s, which no import has made, so it is not imported", it.ID, other)
			continue
		}
		if !known {
			day := creationDay(im.p.Now(), it.Created)
			id := spec.NewID(day, im.p.Config.Project.Prefix, suffixOf(string(im.in.Tool)+" "+it.ID, it.Created), byDay[day.Format(spec.DateLayout)])
			// The next one of the same day must not get the same id.
			byDay[id.Date] = append(byDay[id.Date], id.String())
			one.Spec = id.String()
		}
		one.Item = it
		im.now[key] = one
	}
}

// takenBy returns the spec that has a name of an item without being made of it, "" without one.
func (im *importer) takenBy(it tracker.Item) string {
	for _, name := range append([]string{it.ID}, it.Aliases...) {
		if id := im.taken[strings.ToUpper(name)]; id != "" {
			return id
		}
	}
	return ""
}

// fill adds the specs that are new and those that change to the batch.
func (im *importer) fill(ctx context.Context, read []tracker.Item) error {
	keys := slices.Collect(maps.Keys(im.now))
	order := map[string]int{}
	for i, it := range read {
		order[strings.ToUpper(it.ID)] = i + 1
	}
	// New ones as their tool lists them, then those that it does not list any more.
	slices.SortFunc(keys, func(a, b string) int {
		return cmp.Or(cmp.Compare(cmp.Or(order[a], len(read)+1), cmp.Or(order[b], len(read)+1)), cmp.Compare(a, b))
	})
	was, is := im.composer(im.before), im.composer(im.now)
	for _, key := range keys {
		one := im.now[key]
		doc, err := is.compose(one)
		if err != nil {
			return err
		}
		old, known := im.before[key]
		if !known {
			row, err := im.row(one, doc)
			if err != nil {
				return err
			}
			im.batch.Create(one.Spec, "import", doc.Bytes())
			im.r.Added = append(im.r.Added, row)
			continue
		}
		base, err := was.compose(old)
		if err != nil {
			return err
		}
		before := len(im.r.Changed) + len(im.r.LeftAlone)
		if err := im.update(ctx, one, base, doc); err != nil {
			return err
		}
		// What the file does not have may change all the same: a part of it has come.
		if order[key] > 0 && before == len(im.r.Changed)+len(im.r.LeftAlone) {
			im.r.Unchanged++
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// update merges what changed there into the spec of an item.
func (im *importer) update(ctx context.Context, one imported, base, theirs *markdown.Document) error {
	row := ImportedItem{Item: one.Item.ID, ID: one.Spec, Title: one.Item.Title, Status: one.Item.Status}
	if bytes.Equal(base.Bytes(), theirs.Bytes()) {
		return nil
	}
	why := ""
	switch s := im.specs[one.Spec]; {
	case s == nil && im.gone[one.Spec]:
		why = "it is archived, or its file cannot be read"
	case s == nil:
		why = "its spec was removed"
	case s.Branch != "":
		// The branch of the run has the version that counts, and its criteria are those of its start.
		why = "it is being worked; import again when it has landed"
	case !im.in.DryRun:
		h, err := engine.Hold(ctx, im.p, one.Spec, "import")
		if errors.As(err, new(*lockfile.HeldError)) {
			why = "another process works on it; import again later"
		} else if err != nil {
			return err
		} else {
			im.held = append(im.held, h)
		}
	}
	if why != "" {
		row.WhyLeftAlone = why
		im.r.LeftAlone = append(im.r.LeftAlone, row)
		// What changed there comes with a later import.
		if key := strings.ToUpper(one.Item.ID); !strings.HasPrefix(why, "its spec") {
			im.now[key] = im.before[key]
		}
		return nil
	}
	same := errors.New("nothing new")
	now, err := im.batch.Change(ctx, store.Change{ID: one.Spec, Word: "import", AtHome: true, Edit: func(doc *markdown.Document) (*markdown.Document, error) {
		merged, conflicts, err := versions.Merge(doc.Path(), base.Bytes(), doc.Bytes(), theirs.Bytes(), versions.MergeRemarks(versions.MergeBoxes(im.mergeLines(ctx))))
		if err != nil {
			return nil, err
		}
		row.Conflicts = conflicts
		if bytes.Equal(merged, doc.Bytes()) {
			return nil, same
		}
		return markdown.Parse(doc.Path(), merged)
	}})
	switch {
	case errors.Is(err, same) && len(row.Conflicts) == 0:
		return nil
	case errors.Is(err, same):
		row.WhyLeftAlone = "it was changed here, too"
		im.r.LeftAlone = append(im.r.LeftAlone, row)
		return nil
	case err != nil:
		return err
	}
	conflicts := row.Conflicts
	if row, err = im.row(one, now.Doc); err != nil {
		return err
	}
	row.Conflicts = conflicts
	im.r.Changed = append(im.r.Changed, row)
	return nil
}

// mergeLines merges texts by their lines. Where both sides changed the same lines, those of ours stay, and it reports a
// conflict.
func (im *importer) mergeLines(ctx context.Context) versions.MergeBody {
	return func(base, ours, theirs []byte) ([]byte, bool, error) {
		merged, clash, err := im.p.Repo.MergeFile(ctx, base, ours, theirs)
		if err != nil || !clash {
			return merged, clash, err
		}
		// By git and not by its marks, which a text may contain.
		merged, err = im.p.Repo.MergeFileOurs(ctx, base, ours, theirs)
		return merged, true, err
	}
}

// row describes the spec of an item.
func (im *importer) row(one imported, doc *markdown.Document) (ImportedItem, error) {
	s, err := spec.FromDocument(one.Spec, doc)
	if err != nil {
		return ImportedItem{}, err
	}
	im.after[one.Spec] = &s.Spec
	notes, err := taskfields.ReadNotes(doc)
	if err != nil {
		return ImportedItem{}, err
	}
	return ImportedItem{
		Item: one.Item.ID, ID: one.Spec, Title: s.Title, Status: s.Status, DependsOn: len(s.Fields.DependsOn),
		Members: len(s.Fields.Members), Criteria: len(spec.Criteria(doc)), Comments: len(notes.Comments),
	}, nil
}

// warnOfCycles reports imported specs that wait for each other.
func (im *importer) warnOfCycles() {
	names := map[string]string{}
	for _, one := range im.now {
		names[one.Spec] = one.Item.ID
	}
	for _, cycle := range spec.NewGraph(slices.Collect(maps.Values(im.after)), nil).Cycles() {
		for i, id := range cycle {
			cycle[i] = cmp.Or(names[id], id)
		}
		im.warn("these depend on each other, so none of them can start: %s", strings.Join(cycle, " -> "))
	}
}

func (im *importer) warn(format string, args ...any) {
	im.r.Warnings = append(im.r.Warnings, fmt.Sprintf(format, args...))
}

// encode returns the record of what was imported, a line for each item.
func (im *importer) encode() ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	for _, key := range slices.Sorted(maps.Keys(im.now)) {
		if err := e.Encode(im.now[key]); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}
