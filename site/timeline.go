package site

import (
	"cmp"
	"html/template"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"chant/engine/view/pages"
	"chant/engine/view/picture"
)

// happened is an event of a spec.
type happened struct {
	at     time.Time
	of     *pages.Page
	what   string
	actor  string
	commit string
}

type timelineView struct {
	Drawing template.HTML
	Months  []monthLink
	Days    []dayView
}

type monthLink struct {
	Link
	Count   int
	Current bool
}

type dayView struct {
	Day    string
	Events []eventView
}

type eventView struct {
	Time      *Moment
	What      string
	Spec      Link
	ID, Actor string
}

// events lists what happened to all specs, the newest first.
func (r *Renderer) events() (all []happened) {
	for i := range r.site.Specs {
		s := &r.site.Specs[i]
		for _, e := range s.History {
			all = append(all, happened{e.At.UTC(), s, whatHappened(e.Events, e.Agent), e.Maker(), e.Commit})
		}
	}
	// By id and commit too, because the same data gives the same bytes.
	slices.SortStableFunc(all, func(a, b happened) int {
		return cmp.Or(b.at.Compare(a.at), cmp.Compare(b.of.ID, a.of.ID), cmp.Compare(a.commit, b.commit))
	})
	return all
}

func monthOf(t time.Time) string { return t.Format("2006-01") }

// months lists the months in which something happened, the last one first.
func (r *Renderer) months() []string {
	found := map[string]bool{}
	for i := range r.site.Specs {
		for _, e := range r.site.Specs[i].History {
			found[monthOf(e.At.UTC())] = true
		}
	}
	months := slices.Sorted(maps.Keys(found))
	slices.Reverse(months)
	return months
}

// HasMonth reports whether something happened in a month, such as 2026-01.
func (r *Renderer) HasMonth(month string) bool { return slices.Contains(r.months(), month) }

// Timeline renders what happened in a month, "" for the last one.
func (r *Renderer) Timeline(month string) ([]byte, error) {
	root, heading := "../", "Timeline of "+month
	if month == "" {
		root, heading = "", "Timeline"
	}
	events := r.events()
	v := timelineView{}
	count := map[string]int{}
	for _, e := range events {
		count[monthOf(e.at)]++
	}
	months := r.months()
	if month == "" && len(months) > 0 {
		month = months[0]
	}
	for _, m := range months {
		v.Months = append(v.Months, monthLink{Link{m, root + "timeline/" + m + ".html"}, count[m], m == month && root != ""})
	}
	if root == "" {
		v.Drawing = r.drawMonths()
	}
	for _, e := range events {
		if monthOf(e.at) != month {
			continue
		}
		day := e.at.Format(dayLayout)
		if n := len(v.Days); n == 0 || v.Days[n-1].Day != day {
			v.Days = append(v.Days, dayView{Day: day})
		}
		last := &v.Days[len(v.Days)-1]
		last.Events = append(last.Events, eventView{
			momentOf(e.at, clockLayout), e.what, Link{e.of.Title, root + SpecPath(e.of.ID)}, e.of.ID, e.actor,
		})
	}
	return r.theme.execute("timeline", r.options, page{Heading: heading, Root: root, Content: v})
}

// drawMonths draws how many specs were created and completed in each month, "" without any.
func (r *Renderer) drawMonths() template.HTML {
	created, completed := map[string]int{}, map[string]int{}
	first, last := "", ""
	note := func(counts map[string]int, t time.Time) {
		if t.IsZero() {
			return
		}
		m := monthOf(t.UTC())
		counts[m]++
		if first == "" || m < first {
			first = m
		}
		last = max(last, m)
	}
	for i := range r.site.Specs {
		note(created, r.site.Specs[i].Created)
		note(completed, r.site.Specs[i].Completed)
	}
	c := picture.Chart{
		Title: "Specs by month", Bars: true, Whole: true, Text: func(v float64) string { return strconv.Itoa(int(v)) },
		Series: []picture.Series{{Name: "created", Class: picture.Value}, {Name: "completed", Class: picture.Other}},
	}
	// A wrong time in a spec must not make a chart of centuries.
	for m := first; m != "" && m <= last && len(c.Labels) < 600; m = nextMonth(m) {
		c.Labels = append(c.Labels, m)
		for i, counts := range []map[string]int{created, completed} {
			c.Series[i].Values = append(c.Series[i].Values, float64(counts[m]))
		}
	}
	if len(c.Labels) == 0 {
		return ""
	}
	width := max(200, 72*float64(len(c.Labels)))
	p := picture.New(picture.Options{Name: "months", Title: c.Title, Description: "Specs created and completed by month", Width: width + 72, Height: 220})
	p.Chart(c, picture.Box{X: 56, Y: 48, Width: width, Height: 140})
	return inPage(p.Bytes())
}

func nextMonth(month string) string {
	t, err := time.Parse("2006-01", month)
	if err != nil || strings.HasPrefix(month, "9999") {
		// Behind all months.
		return "~"
	}
	return monthOf(t.AddDate(0, 1, 0))
}
