package site

import (
	"fmt"
	"html/template"

	"chant/site/chart"
)

type graphView struct {
	Drawing  template.HTML
	TooLarge string
	Lines    []graphLine
}

type graphLine struct {
	Row
	DependsOn, Members []Link
}

// maxDrawn is how many specs a drawing has at most: a larger one cannot be read.
const maxDrawn = 1500

// Graph renders the graph of dependencies, as a drawing and as a list.
func (r *Renderer) Graph() ([]byte, error) {
	v := graphView{}
	var nodes []chart.Node
	for i := range r.site.Specs {
		s := &r.site.Specs[i]
		if len(s.DependsOn)+len(s.Dependents)+len(s.Members)+len(s.Drivers) == 0 {
			continue
		}
		row := rowOf(s, "")
		nodes = append(nodes, chart.Node{ID: s.ID, Title: s.Title, Href: row.Href, Class: row.Class, After: r.existing(s.DependsOn), Members: r.existing(s.Members)})
		v.Lines = append(v.Lines, graphLine{row, r.links(s.DependsOn, ""), r.links(s.Members, "")})
	}
	if len(nodes) > maxDrawn {
		v.TooLarge = fmt.Sprintf("%d specs depend on each other, which is too many for a drawing.", len(nodes))
	} else if len(nodes) > 0 {
		v.Drawing = template.HTML(chart.Graph(nodes)) // chart escapes what it draws
	}
	return r.theme.execute("graph", r.options, page{Heading: "Dependency graph", Content: v})
}

// existing returns the ids of specs that have a page.
func (r *Renderer) existing(ids []string) (found []string) {
	for _, id := range ids {
		if r.byID[id] != nil {
			found = append(found, id)
		}
	}
	return found
}
