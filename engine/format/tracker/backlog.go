package tracker

import (
	"cmp"
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"chant/engine/spec"
	"chant/engine/spec/taskfields"
	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// readBacklog reads the folder of Backlog.md: its config.yml, and a file for each task in tasks, completed, drafts and
// archive.
func (r *Result) readBacklog(files []File) error {
	var settings struct {
		Statuses []string `yaml:"statuses"`
	}
	others := map[string]int{}
	for _, f := range files {
		if path.Base(f.Path) != "config.yml" {
			continue
		}
		if err := yaml.Unmarshal(f.Content, &settings); err != nil {
			return &FileError{Path: f.Path, Msg: strings.TrimPrefix(err.Error(), "yaml: ")}
		}
		r.left("the settings in config.yml")
	}
	for _, f := range files {
		folder, _, _ := strings.Cut(f.Path, "/")
		switch {
		case path.Ext(f.Path) != ".md" || strings.EqualFold(path.Base(f.Path), "readme.md"):
		case slices.Contains([]string{"tasks", "completed", "drafts", "archive"}, folder):
			if err := r.addBacklogTask(f, folder, settings.Statuses); err != nil {
				return err
			}
		default:
			others[folder]++
		}
	}
	for folder, count := range others {
		r.left("%s: %d of its files are no tasks", folder, count)
	}
	r.resolveNumbers()
	slices.SortStableFunc(r.Items, func(a, b Item) int { return cmp.Or(compareNumbers(a.ID, b.ID), cmp.Compare(a.ID, b.ID)) })
	return nil
}

// marks are what Backlog.md puts around and before the parts of a text, by which it finds them again.
var marks = sync.OnceValue(func() (p struct{ section, number, comment, person *regexp.Regexp }) {
	p.section = regexp.MustCompile(`(?m)^<!-- (?:SECTION:[A-Z_]+|AC|DOD|COMMENTS):(?:BEGIN|END) -->[ \t]*\n?`)
	p.number = regexp.MustCompile(`(?m)^([ \t]*[-*+] \[[ xX]\]) #\d+ `)
	p.person = regexp.MustCompile(`(?m)^((?:assignee|reporter):[ \t]*|[ \t]+-[ \t]+)(@[^"'\n]*?)[ \t]*$`)
	p.comment = regexp.MustCompile(`(?m)^(?:author: (.*)\n)?created: (.*)\n---\n`)
	return p
})

// addBacklogTask adds the task of a file. folder is where it is: what it says of the status of its tasks.
func (r *Result) addBacklogTask(f File, folder string, statuses []string) error {
	src := clean(strings.TrimPrefix(string(f.Content), "\ufeff"))
	if front, body, found := strings.Cut(src, "\n---\n"); found {
		// Backlog.md writes and reads "assignee: @ada", which YAML does not allow.
		src = marks().person.ReplaceAllString(front, `$1"$2"`) + "\n---\n" + body
	}
	doc, err := markdown.Parse(f.Path, []byte(src))
	var front map[string]taskfields.Words
	if err == nil {
		err = doc.Decode(&front)
	}
	if err != nil {
		fault := &FileError{Path: f.Path, Msg: err.Error()}
		if at, ok := err.(*markdown.SyntaxError); ok {
			fault.Line, fault.Msg = at.Line, at.Msg
		}
		return fault
	}
	b := record{}
	for key, words := range front {
		// Texts can always be encoded.
		b[key], _ = json.Marshal(words)
	}
	it := Item{ID: b.word("id"), Title: b.word("title"), Type: b.word("type"), Priority: b.word("priority"), Reporter: b.word("reporter")}
	if it.ID == "" {
		return &FileError{Path: f.Path, Line: 1, Msg: "a task of Backlog.md has an id in its front matter"}
	}
	word := b.word("status")
	status, known := backlogStatus(word, statuses)
	switch {
	case folder == "completed":
		status = spec.Completed
	// What is archived is not to be done, but may have been.
	case folder == "archive" && status != spec.Completed:
		status = spec.Cancelled
	}
	it.setStatus(word, known, status)
	it.Draft = folder == "drafts"
	it.assign(b.words("assignee"))
	it.Labels, it.DependsOn, it.Parent = b.words("labels"), b.words("dependencies"), b.word("parent_task_id")
	it.Created, it.Updated = b.time("created_date"), b.time("updated_date")
	if it.Status == spec.Completed {
		it.Closed = it.Updated
	}
	it.Links = append(b.words("references"), b.words("documentation")...)
	body := string(doc.Body())
	if before, inside, found := strings.Cut(body, "<!-- COMMENTS:BEGIN -->\n"); found {
		inside, after, _ := strings.Cut(inside, "<!-- COMMENTS:END -->")
		body = strings.TrimSuffix(strings.TrimRight(before, "\n"), "## Comments") + strings.TrimLeft(after, "\n")
		it.backlogComments(inside)
	}
	body = marks().section.ReplaceAllString(body, "")
	it.section("", strings.TrimSpace(marks().number.ReplaceAllString(body, "$1 ")))
	// The other tasks name this one as their parent.
	delete(b, "subtasks")
	b.rest(&it)
	r.Items = append(r.Items, it)
	return nil
}

// backlogStatus returns what a status means: by its word, else by its place among those of the settings, of which the
// last one is done.
func backlogStatus(word string, statuses []string) (spec.Status, bool) {
	status, known := statusOf(word)
	at := slices.IndexFunc(statuses, func(s string) bool { return fold(s) == fold(word) })
	switch {
	case known || at <= 0:
		return status, known
	case at == len(statuses)-1:
		return spec.Completed, false
	}
	return spec.InProgress, false
}

// backlogComments reads the comments of a task: a head with author and time, a line of dashes, the text, and dashes again.
func (it *Item) backlogComments(inside string) {
	heads := marks().comment.FindAllStringSubmatchIndex(inside, -1)
	for i, h := range heads {
		end := len(inside)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		author := ""
		if h[2] >= 0 {
			author = inside[h[2]:h[3]]
		}
		text := strings.TrimSuffix(strings.TrimSpace(inside[h[1]:end]), "---")
		it.comment(author, inside[h[4]:h[5]], text)
	}
}

// comment adds what was said about the item; a time that cannot be read is part of the text.
func (it *Item) comment(author, created, body string) {
	at, ok := readTime(created)
	if body = strings.TrimSpace(clean(body)); !ok && created != "" {
		body = clean(created) + ": " + body
	}
	if body != "" {
		it.Comments = append(it.Comments, taskfields.Comment{Date: at, Author: strings.TrimSpace(clean(author)), Text: body})
	}
}

// resolveNumbers gives references to tasks the ids that the tasks have: a folder may have changed its prefix, and some
// write 5 where others write 05.
func (r *Result) resolveNumbers() {
	ids := map[string]string{}
	for _, it := range r.Items {
		// A draft has a number of its own.
		if !it.Draft {
			ids[plainNumber(it.ID)] = it.ID
		}
	}
	resolve := func(name string) string {
		exact := slices.ContainsFunc(r.Items, func(it Item) bool { return strings.EqualFold(it.ID, name) })
		if id := ids[plainNumber(name)]; id != "" && !exact {
			return id
		}
		return name
	}
	for i := range r.Items {
		it := &r.Items[i]
		for j, name := range it.DependsOn {
			it.DependsOn[j] = resolve(name)
		}
		if it.Parent != "" {
			it.Parent = resolve(it.Parent)
		}
	}
}

// plainNumber returns the number of a task without prefix and zeros: "4.2" for "BACK-4.02".
func plainNumber(id string) string {
	parts := strings.Split(id[strings.LastIndexByte(id, '-')+1:], ".")
	for i, part := range parts {
		parts[i] = cmp.Or(strings.TrimLeft(part, "0"), "0")
	}
	return strings.Join(parts, ".")
}

// compareNumbers orders ids by their numbers.
func compareNumbers(a, b string) int {
	return slices.CompareFunc(strings.Split(plainNumber(a), "."), strings.Split(plainNumber(b), "."), func(x, y string) int {
		n, _ := strconv.Atoi(x)
		m, _ := strconv.Atoi(y)
		return cmp.Compare(n, m)
	})
}
