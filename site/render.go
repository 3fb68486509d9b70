package site

import (
	"maps"
	"slices"
	"strings"

	"chant/engine/view/pages"
)

// Options say how a site is rendered.
type Options struct {
	Title string // of the site
	URL   string // where it will be, with a slash at its end; "" = not known. Only feeds need it.
	Live  bool   // for people who can act on the pages
}

// Renderer renders the pages of one site.
type Renderer struct {
	theme   *Theme
	options Options
	site    pages.Site
	byID    map[string]*pages.Page
	labels  map[string][]*pages.Page
}

// NewRenderer returns a renderer of the pages about these specs.
func NewRenderer(th *Theme, o Options, s pages.Site) *Renderer {
	r := &Renderer{theme: th, options: o, site: s, byID: map[string]*pages.Page{}, labels: map[string][]*pages.Page{}}
	for i := range s.Specs {
		one := &s.Specs[i]
		r.byID[one.ID] = one
		for _, l := range slices.Compact(slices.Sorted(slices.Values(one.Fields.Labels))) {
			r.labels[l] = append(r.labels[l], one)
		}
	}
	return r
}

// File is a file of a site.
type File struct {
	Path   string // slash-separated, as it is on disk
	Render func() ([]byte, error)
}

// Files lists all files of the site, in no particular order. Each may be rendered at any time and beside others.
func (r *Renderer) Files() []File {
	files := []File{
		{"index.html", r.Index}, {"graph.html", r.Graph}, {"changelog.html", r.Changelog}, {"timeline.html", func() ([]byte, error) { return r.Timeline("") }},
		{"feed.xml", r.Feed}, {"activity.xml", r.Activity},
	}
	for _, month := range r.months() {
		files = append(files, File{"timeline/" + month + ".html", func() ([]byte, error) { return r.Timeline(month) }})
	}
	for label := range r.labels {
		files = append(files, File{LabelPath(label), func() ([]byte, error) { return r.Label(label) }})
	}
	for i := range r.site.Specs {
		s := &r.site.Specs[i]
		files = append(files, File{"spec/" + s.ID + ".html", func() ([]byte, error) { return r.Spec(s, nil) }})
	}
	for name, content := range r.theme.static {
		if name != liveScript && name != workerScript {
			files = append(files, File{"static/" + name, func() ([]byte, error) { return content, nil }})
		}
	}
	return files
}

// The scripts that only live pages have.
const (
	liveScript   = "live.js"
	workerScript = "events.js"
)

// Board is the content of the first page.
type Board struct {
	Summary string
	Plans   []string // one line about each that is not done
	Groups  []Group
	Invalid []pages.Broken
	Labels  []LabelCount
}

// LabelCount is a label and how many specs have it.
type LabelCount struct {
	Link
	Count int
}

// Index renders the list of all specs.
func (r *Renderer) Index() ([]byte, error) {
	all := make([]*pages.Page, len(r.site.Specs))
	for i := range all {
		all[i] = &r.site.Specs[i]
	}
	b := Board{Groups: GroupRows(rowsOf(all, "")), Invalid: r.site.Invalid}
	for _, l := range slices.Sorted(maps.Keys(r.labels)) {
		b.Labels = append(b.Labels, LabelCount{Link{l, LabelPath(l)}, len(r.labels[l])})
	}
	return r.theme.Board(r.options, b)
}

// Board renders the first page.
func (th *Theme) Board(o Options, b Board) ([]byte, error) {
	return th.execute("index", o, page{Heading: "Specs", Content: b})
}

// HasLabel reports whether a spec has a label.
func (r *Renderer) HasLabel(name string) (label string, ok bool) {
	for l := range r.labels {
		if labelName(l) == name {
			return l, true
		}
	}
	return "", false
}

// Label renders the list of the specs with a label.
func (r *Renderer) Label(label string) ([]byte, error) {
	return r.theme.execute("label", r.options, page{Heading: "Label " + label, Root: "../", Content: GroupRows(rowsOf(r.labels[label], "../"))})
}

// Changelog renders the list of completed specs by month, the newest first.
func (r *Renderer) Changelog() ([]byte, error) {
	var months []Group
	for _, s := range r.completed() {
		row, name := rowOf(s, ""), s.Completed.Format("2006-01")
		if s.Completed.IsZero() {
			name = "Undated"
		}
		row.Note = changeText(s.Work)
		if n := len(months); n == 0 || months[n-1].Name != name {
			months = append(months, Group{Key: "m" + strings.ToLower(name), Name: name})
		}
		last := &months[len(months)-1]
		last.Rows = append(last.Rows, row)
	}
	return r.theme.execute("changelog", r.options, page{Heading: "Changelog", Content: months})
}

// completed lists the completed specs, the last one first.
func (r *Renderer) completed() (done []*pages.Page) {
	for i := range r.site.Specs {
		if s := &r.site.Specs[i]; s.Status == "completed" {
			done = append(done, s)
		}
	}
	// Specs that were completed at the same time are listed with the newest id first.
	slices.Reverse(done)
	slices.SortStableFunc(done, func(a, b *pages.Page) int { return b.Completed.Compare(a.Completed) })
	return done
}
