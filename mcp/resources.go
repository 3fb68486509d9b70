package mcp

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"

	"chant/engine"
	"chant/engine/author"
	"chant/engine/spec"
	"chant/engine/view"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// How resources are named: spec://<id> is the file of a spec, spec://<id>/log
// the output of its agent.
const (
	scheme    = "spec://"
	logSuffix = "/log"
)

// logLines is how many of a log's last lines its resource holds.
const logLines = 1000

// locator is a resource's address taken apart.
type locator struct {
	id  string
	log bool
}

func parseURI(uri string) (locator, error) {
	rest, ok := strings.CutPrefix(uri, scheme)
	id, log := strings.CutSuffix(rest, logSuffix)
	if !ok || id == "" || strings.Contains(id, "/") {
		return locator{}, &engine.Error{Code: engine.NotFound, Message: fmt.Sprintf("no resource %q", uri)}
	}
	return locator{id, log}, nil
}

// text reads a resource.
func (l locator) text(ctx context.Context, p *engine.Project, lines int) (text, mime string, err error) {
	if l.log {
		r, err := view.Log(ctx, p, view.LogInput{ID: l.id, Lines: lines})
		return r.Content, "text/plain", err
	}
	r, err := author.Source(ctx, p, l.id)
	return string(r.Text), "text/markdown", err
}

// addResources shows specs as resources.
func (s *server) addResources() {
	for _, t := range []struct{ uri, name, text, mime string }{
		{scheme + "{id}", "spec", "A spec file", "text/markdown"},
		{scheme + "{id}" + logSuffix, "log", "The end of what a spec's agent said", "text/plain"},
	} {
		s.core.AddResourceTemplate(mcpgo.NewResourceTemplate(t.uri, t.name,
			mcpgo.WithTemplateDescription(t.text), mcpgo.WithTemplateMIMEType(t.mime)), s.readResource)
	}
}

func (s *server) readResource(ctx context.Context, r mcpgo.ReadResourceRequest) ([]mcpgo.ResourceContents, error) {
	where, err := parseURI(r.Params.URI)
	if err != nil {
		return nil, err
	}
	p, err := s.project(ctx)
	if err != nil {
		return nil, err
	}
	text, mime, err := where.text(ctx, p, logLines)
	if err != nil {
		return nil, err
	}
	return []mcpgo.ResourceContents{mcpgo.TextResourceContents{URI: r.Params.URI, MIMEType: mime, Text: text}}, nil
}

// listResources fills in one page of the list, which the library knows nothing
// of: specs come and go while the server runs.
func (s *server) listResources(ctx context.Context, _ any, m *mcpgo.ListResourcesRequest, r *mcpgo.ListResourcesResult) {
	p, err := s.project(ctx)
	var ids []string
	if err == nil {
		ids, err = view.IDs(ctx, p)
	}
	if err != nil {
		s.log.Printf("resources/list: %v", err)
		return
	}
	ids, r.NextCursor = page(ids, m.Params.Cursor, func(id string) string { return id }, spec.Compare)
	for _, id := range ids {
		r.Resources = append(r.Resources, mcpgo.Resource{URI: scheme + id, Name: id, Title: view.Title(ctx, p, id), MIMEType: "text/markdown"})
	}
}

// mark distinguishes one state of a resource from the next; one that cannot be read has
// a state, too.
func (s *server) mark(ctx context.Context, uri string) (string, error) {
	where, err := parseURI(uri)
	if err != nil {
		return "", err
	}
	p, err := s.project(ctx)
	if err != nil {
		return "", err
	}
	if where.log {
		size, err := view.LogSize(ctx, p, where.id)
		return fmt.Sprint(size), err
	}
	r, err := author.Source(ctx, p, where.id)
	return fmt.Sprintf("%x", sha256.Sum256(r.Text)), err
}
