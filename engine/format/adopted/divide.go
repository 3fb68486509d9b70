package adopted

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"chant/engine/format/tasklist"
	"chant/engine/spec"
)

// Part is what one member of a divided folder is about.
type Part struct {
	Title string
	Part  []string // its key `part`
	Text  []string // its criteria, one line each
	After []int    // the indexes of the parts that it waits for
	Done  bool     // all of its boxes are ticked
}

// lastTitle is the title of the part that checks what belongs to no other one.
const lastTitle = "Check the whole"

// Divide divides the folder of a spec by its tasks: what comes before the stories, each story with its scenarios, and what
// comes after them; without stories, by the groups of tasks. Criteria that belong to no story go to the last part, which
// then waits for all others. Error: one that says why the folder cannot be divided.
func Divide(files fs.FS, of spec.Fields) ([]Part, error) {
	a := Read(files, of)
	if a.Problem != "" {
		return nil, fmt.Errorf("%s", a.Problem)
	}
	all, err := readItems(files, &spec.Adopted{Dir: a.Dir, Kind: a.Kind})
	if err != nil {
		return nil, err
	}
	src, err := fs.ReadFile(files, path.Join(a.Dir, "tasks.md"))
	if err != nil {
		return nil, fmt.Errorf("%q has no tasks", a.Dir)
	}
	divide := tasklist.Divide
	if a.Kind == Kiro {
		divide = divideKiro
	}
	groups, err := divide(tasklist.Parse(src))
	if err != nil {
		return nil, fmt.Errorf("the tasks of %q: %w", a.Dir, err)
	}
	d := division{taken: make([]bool, len(all)), all: all}
	for _, g := range groups {
		d.add(g)
	}
	d.addRest()
	return d.parts, nil
}

// division collects the parts of a folder.
type division struct {
	all   []item
	taken []bool // the items that a part has
	parts []Part
}

// add adds the part for a group of tasks.
func (d *division) add(g tasklist.Part) {
	part := Part{Title: g.Title, After: slices.Clone(g.DependsOn), Done: len(g.Open) == 0}
	if g.Story != "" {
		part.Part = append(part.Part, g.Story)
	}
	keys := map[string]bool{}
	for _, key := range g.Tasks {
		keys[key] = true
	}
	for i, it := range d.all {
		inStory := g.Story != "" && strings.EqualFold(it.story, g.Story)
		isTask := it.group == tasks && keys[taskKey(it)]
		if d.taken[i] || !inStory && !isTask && !keys[it.by] {
			continue
		}
		d.taken[i] = true
		// A story names all of its items, so they need no entries of their own.
		if !inStory {
			part.Part = append(part.Part, entryFor(it))
		}
		part.Text = append(part.Text, it.Text)
		part.Done = part.Done && it.Checked
	}
	d.parts = append(d.parts, part)
}

// taskKey is the key that package tasklist has for a task.
func taskKey(it item) string {
	if it.unkeyed {
		return fmt.Sprintf("line %d", it.Line)
	}
	return it.Key
}

// entryFor returns the entry of `part` for an item: its key, or its id where it has none of its own.
func entryFor(it item) string {
	if it.Key == "" || it.unkeyed {
		return it.ID
	}
	return it.Key
}

// waitsForAll reports whether a part begins after all others, also where it waits for them through others.
func (d *division) waitsForAll(part int) bool {
	reached := map[int]bool{part: true}
	for todo := []int{part}; len(todo) > 0; todo = todo[1:] {
		for _, before := range d.parts[todo[0]].After {
			if !reached[before] {
				reached[before] = true
				todo = append(todo, before)
			}
		}
	}
	return len(reached) == len(d.parts)
}

// addRest gives what no part has to the last part, or to one more if another part waits for the last one.
func (d *division) addRest() {
	var rest []item
	for i, it := range d.all {
		if !d.taken[i] {
			rest = append(rest, it)
		}
	}
	if len(rest) == 0 {
		return
	}
	last := len(d.parts) - 1
	// The last part must come after all others, and must not be a story, to check the whole.
	if !d.waitsForAll(last) || slices.ContainsFunc(d.parts[last].Part, func(e string) bool { return strings.HasPrefix(e, "US") }) {
		all := make([]int, len(d.parts))
		for i := range all {
			all[i] = i
		}
		d.parts = append(d.parts, Part{Title: lastTitle, After: all, Done: true})
		last++
	}
	part := &d.parts[last]
	for _, it := range rest {
		entry := string(it.group)
		if it.group == tasks || it.group == requirementCriteria || it.group == scenarios && it.story != "" {
			entry = entryFor(it)
		}
		if !slices.Contains(part.Part, entry) {
			part.Part = append(part.Part, entry)
		}
		part.Text = append(part.Text, it.Text)
		part.Done = part.Done && it.Checked
	}
}
