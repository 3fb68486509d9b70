package site

import (
	"fmt"
	"html/template"
	"regexp"
	"slices"
	"sync"

	"chant/engine/view/pages"
	"chant/engine/view/picture"
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
	var g picture.Graph
	for i := range r.site.Specs {
		s := &r.site.Specs[i]
		// Specs without any relation would only be a list of boxes.
		if len(s.DependsOn)+len(s.Dependents)+len(s.Members)+len(s.Drivers) == 0 {
			continue
		}
		r.addTo(&g, s)
		v.Lines = append(v.Lines, graphLine{rowOf(s, ""), r.links(s.DependsOn, ""), r.links(s.Members, "")})
	}
	if len(g.Specs) > maxDrawn {
		v.TooLarge = fmt.Sprintf("%d specs depend on each other, which is too many for a drawing.", len(g.Specs))
	} else if len(g.Specs) > 0 {
		v.Drawing = inPage(g.SVG(SpecPath))
	}
	return r.theme.execute("graph", r.options, page{Heading: "Dependency graph", Content: v})
}

// addTo adds a spec to a graph, with what it needs as far as that has a page.
func (r *Renderer) addTo(g *picture.Graph, s *pages.Page) {
	one := picture.Spec{ID: s.ID, Title: s.Title, Status: string(s.Status), Ready: s.Ready, Blocked: s.Blocked, Done: s.Landed}
	if s.Archived {
		one.Status = picture.Archived
	}
	g.Specs = append(g.Specs, one)
	for _, id := range s.DependsOn {
		if r.byID[id] != nil {
			g.Needs = append(g.Needs, picture.Need{Spec: s.ID, Needs: id, Kind: picture.DependsOn})
		}
	}
	for _, id := range s.Members {
		if r.byID[id] != nil && !slices.Contains(s.DependsOn, id) {
			g.Needs = append(g.Needs, picture.Need{Spec: s.ID, Needs: id, Kind: picture.Member})
		}
	}
}

var styleElement = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<style>[^<]*</style>\n?`) })

// inPage returns a picture as a part of a page, whose style sheet has the styles of pictures.
func inPage(svg []byte) template.HTML {
	// Pictures escape what they show.
	return template.HTML(styleElement().ReplaceAll(svg, nil))
}
