package adopted

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"chant/engine/format/tasklist"
	"chant/engine/spec"
	"chant/markdown"
)

// kiroForms are the expressions for a requirement, its criteria, and what a task says that it is about.
var kiroForms = sync.OnceValue(func() (p struct{ requirement, criteria, about, number *regexp.Regexp }) {
	p.requirement = regexp.MustCompile(`(?i)^(?:requirement\s*([0-9]*)|([0-9]+)[.):]\s)`)
	p.criteria = regexp.MustCompile(`(?i)^acceptance criteria`)
	p.about = regexp.MustCompile(`(?im)^[ \t]*[-*+][ \t]+[_*]*(?:validates:\s*)?requirements?:?\s+([0-9][0-9.,\s]*)`)
	p.number = regexp.MustCompile(`[0-9]+(?:\.[0-9]+)?`)
	return p
})

// readKiro reads the criteria of a folder of Kiro: its tasks, and the criteria of its requirements, which are sentences of
// EARS ("WHEN a good is bought THEN the shop SHALL remove it") without a box.
func readKiro(files fs.FS, a *spec.Adopted) ([]item, error) {
	out, err := readTasks(files, a.Dir)
	if err != nil {
		return nil, err
	}
	file := path.Join(a.Dir, "requirements.md")
	src, err := fs.ReadFile(files, file)
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	last, err := lastTasks(files, a.Dir)
	if err != nil {
		return nil, err
	}
	for _, c := range requirements(src) {
		c.File, c.Boxless = file, true
		story, _, _ := strings.Cut(c.Key, ".")
		// A task may be about a whole requirement.
		by := cmp.Or(last[c.Key], last[story])
		out = append(out, item{group: requirementCriteria, story: story, by: by, Criterion: c})
	}
	return out, nil
}

// requirements reads the items of the lists under "Acceptance Criteria" of each requirement: the second of requirement 3 has
// the key R3.2. A deeper item belongs to the one around it.
func requirements(src []byte) []spec.Criterion {
	doc, err := markdown.Parse("", src)
	if err != nil {
		return nil
	}
	var out []spec.Criterion
	headings := doc.Headings()
	requirement, count, criteria := 0, 0, 0 // criteria is the level of the heading, 0 outside of its section
	for _, it := range doc.Items() {
		for ; len(headings) > 0 && headings[0].Line < it.Line; headings = headings[1:] {
			h := headings[0]
			if criteria > 0 && h.Level <= criteria {
				criteria = 0
			}
			if m := kiroForms().requirement.FindStringSubmatch(h.Text); m != nil {
				requirement++
				// One without a number has that of its order.
				if n, err := strconv.Atoi(m[1] + m[2]); err == nil {
					requirement = n
				}
				count = 0
			}
			if kiroForms().criteria.MatchString(h.Text) {
				criteria = h.Level
			}
		}
		text := spec.OneLine(strings.ReplaceAll(it.Text, "**", ""))
		switch {
		case criteria == 0 || requirement == 0 || text == "":
		case it.Top:
			count++
			key := fmt.Sprintf("R%d.%d", requirement, count)
			out = append(out, spec.Criterion{Key: key, Text: key + ": " + text, Line: it.Line})
		case count > 0:
			out[len(out)-1].Text += "; " + text
		}
	}
	return out
}

// lastTasks maps criteria ("R1.2") and requirements ("R1") to the key of the last task that says it is about them.
func lastTasks(files fs.FS, dir string) (map[string]string, error) {
	src, err := fs.ReadFile(files, path.Join(dir, "tasks.md"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	out := map[string]string{}
	lines := strings.Split(string(src), "\n")
	tasks := tasklist.Parse(src).Tasks
	for i, t := range tasks {
		end := len(lines)
		if i+1 < len(tasks) {
			end = tasks[i+1].Line - 1
		}
		for _, m := range kiroForms().about.FindAllStringSubmatch(strings.Join(lines[min(t.Line, end):end], "\n"), -1) {
			for _, number := range kiroForms().number.FindAllString(m[1], -1) {
				// What an earlier task says of a criterion of it counts no more.
				maps.DeleteFunc(out, func(key, _ string) bool { return strings.HasPrefix(key, "R"+number+".") })
				out["R"+number] = t.Key
			}
		}
	}
	return out, err
}

// divideKiro returns the parts of a list of Kiro: each task at the top with those that its number begins ("2", "2.1"). They
// follow each other; neighbours that are marked (P) run side by side.
func divideKiro(l tasklist.List) ([]tasklist.Part, error) {
	var parts []tasklist.Part
	var before, block []int // what the last parts that run side by side wait for, and these parts
	major, beside := "", false
	for _, t := range l.Tasks {
		number, _, _ := strings.Cut(t.ID, ".")
		if len(parts) == 0 || t.Parent < 0 && number != "" && number != major {
			if !t.Parallel || !beside {
				before, block = block, nil
			}
			major, beside, block = number, t.Parallel, append(block, len(parts))
			parts = append(parts, tasklist.Part{Title: t.Description, DependsOn: before})
		}
		p := &parts[len(parts)-1]
		p.Tasks = append(p.Tasks, t.Key)
		if !t.Done {
			p.Open = append(p.Open, t.Key)
		}
	}
	if len(parts) < 2 {
		return nil, fmt.Errorf("%w: all tasks (%d) are in one part", tasklist.ErrUndivided, len(l.Tasks))
	}
	return parts, nil
}
