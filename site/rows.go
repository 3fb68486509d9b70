package site

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"chant/engine/spec"
	"chant/engine/view/pages"
)

// Link is a link to another page; without Href it leads nowhere.
type Link struct{ Name, Href string }

// Moment is a time as people and as programs read it.
type Moment struct{ Text, Machine string }

// momentOf returns a time in UTC, nil for the zero time.
func momentOf(t time.Time, layout string) *Moment {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &Moment{t.Format(layout), t.Format(time.RFC3339)}
}

// The layouts of moments.
const (
	dayLayout    = "2006-01-02"
	minuteLayout = "2006-01-02 15:04 UTC"
	clockLayout  = "15:04"
)

// Row is one spec in a list.
type Row struct {
	ID, Title, Href string
	Class           string // of its state, see Group
	Word            string // its state in words
	Type            string
	Labels          []Link
	Date            *Moment
	Note            string
}

// Group is the specs of one state.
type Group struct {
	Key  string // class and anchor
	Name string
	Rows []Row
}

// stateNames are the states in the order in which they are listed, the most urgent first.
func stateNames() []Group {
	return []Group{
		{Key: "in_progress", Name: "In progress"},
		{Key: "needs_attention", Name: "Needs attention"},
		{Key: "failed", Name: "Failed"},
		{Key: "paused", Name: "Paused"},
		{Key: "ready", Name: "Ready"},
		{Key: "pending", Name: "Pending"},
		{Key: "blocked", Name: "Blocked"},
		{Key: "completed", Name: "Completed"},
		{Key: "cancelled", Name: "Cancelled"},
		{Key: "archived", Name: "Archived"},
	}
}

// StateOf returns the key of the group of a spec.
func StateOf(status spec.Status, ready, blocked, archived bool) string {
	switch {
	case archived:
		return "archived"
	case status == spec.Pending && ready:
		return "ready"
	case status == spec.Pending && blocked:
		return "blocked"
	}
	return string(status)
}

// GroupRows divides rows by their states. Groups without rows are left out.
func GroupRows(rows []Row) []Group {
	var groups []Group
	for _, g := range stateNames() {
		for _, r := range rows {
			if r.Class == g.Key {
				g.Rows = append(g.Rows, r)
			}
		}
		if len(g.Rows) > 0 {
			groups = append(groups, g)
		}
	}
	return groups
}

// NewRow returns the row of a spec without labels and date.
func NewRow(id, title, state, root string) Row {
	return Row{ID: id, Title: cmp.Or(title, id), Href: root + SpecPath(id), Class: state, Word: wordOf(state)}
}

// wordOf returns the name of a state as a word.
func wordOf(state string) string { return strings.ReplaceAll(state, "_", " ") }

// SpecPath is the address of the page of a spec, from the folder of index.html.
func SpecPath(id string) string { return "spec/" + url.PathEscape(id) + ".html" }

// LabelPath is the address of the page of a label.
func LabelPath(label string) string { return "label/" + labelName(label) + ".html" }

// LabelLinks returns links to the pages of labels.
func LabelLinks(labels []string, root string) (links []Link) {
	for _, l := range labels {
		if !slices.ContainsFunc(links, func(have Link) bool { return have.Name == l }) {
			links = append(links, Link{l, root + LabelPath(l)})
		}
	}
	return links
}

var plainLabel = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9]+([._-][a-z0-9]+)*$`) })

// labelName returns the name of a label's file: the label if every system can have a file of this name, else its letters
// with a part of its hash.
func labelName(label string) string {
	if len(label) <= 80 && plainLabel().MatchString(label) {
		return label
	}
	sum := sha256.Sum256([]byte(label))
	plain := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(label))
	// The hash keeps labels apart that differ only in other characters.
	return strings.Trim(plain[:min(len(plain), 40)], "-") + "--" + hex.EncodeToString(sum[:4])
}

// rowOf returns the row of a spec, with the day on which it was completed or last changed.
func rowOf(s *pages.Page, root string) Row {
	r := NewRow(s.ID, s.Title, StateOf(s.Status, s.Ready, s.Blocked, s.Archived), root)
	r.Type, r.Labels = typeOf(s), LabelLinks(s.Fields.Labels, root)
	r.Date = momentOf(s.Updated, dayLayout)
	if !s.Completed.IsZero() {
		r.Date = momentOf(s.Completed, dayLayout)
	}
	switch {
	case s.Status == spec.Completed && !s.Landed:
		r.Note = "not landed yet"
	case s.Status == spec.Failed || s.Status == spec.NeedsAttention:
		r.Note = s.Fields.Reason
	}
	return r
}

// typeOf returns the type of a spec, "" for the usual one.
func typeOf(s *pages.Page) string {
	if s.Fields.Type == "code" {
		return ""
	}
	return string(s.Fields.Type)
}

// rowsOf returns the rows of specs, the newest first.
func rowsOf(specs []*pages.Page, root string) []Row {
	rows := make([]Row, len(specs))
	for i, s := range specs {
		rows[len(specs)-1-i] = rowOf(s, root)
	}
	return rows
}
