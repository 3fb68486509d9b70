package prompts

import (
	"context"
	"crypto/sha256"
	"fmt"
	"log"
	"strings"

	"chant/engine"
	"chant/engine/author"
	"chant/engine/spec"
	"chant/engine/view"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
)

// This file shows specs and the logs of their agents as resources of MCP: spec://<id> is the file of a spec,
// spec://<id>/log the output of its agent.

// Scheme begins the address of each resource.
const Scheme = "spec://"

// logSuffix ends the address of a log.
const logSuffix = "/log"

// logLines is how many of a log's last lines its resource holds.
const logLines = 1000

// ResourceServer answers requests about resources.
type ResourceServer struct {
	Project func(context.Context) (*engine.Project, error) // opens the project for one request
	Log     *log.Logger                                    // for failures that a reply cannot report
}

// locator is a resource's address taken apart.
type locator struct {
	id  string
	log bool
}

func parseURI(uri string) (locator, error) {
	rest, ok := strings.CutPrefix(uri, Scheme)
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

// Add makes the library list the templates of addresses and answer resources/read.
func (s *ResourceServer) Add(core *mcpserver.MCPServer) {
	for _, t := range []struct{ uri, name, text, mime string }{
		{Scheme + "{id}", "spec", "A spec file", "text/markdown"},
		{Scheme + "{id}" + logSuffix, "log", "The end of what a spec's agent said", "text/plain"},
	} {
		core.AddResourceTemplate(mcpgo.NewResourceTemplate(t.uri, t.name,
			mcpgo.WithTemplateDescription(t.text), mcpgo.WithTemplateMIMEType(t.mime)), s.read)
	}
}

func (s *ResourceServer) read(ctx context.Context, r mcpgo.ReadResourceRequest) ([]mcpgo.ResourceContents, error) {
	where, err := parseURI(r.Params.URI)
	if err != nil {
		return nil, err
	}
	p, err := s.Project(ctx)
	if err != nil {
		return nil, err
	}
	text, mime, err := where.text(ctx, p, logLines)
	if err != nil {
		return nil, err
	}
	return []mcpgo.ResourceContents{mcpgo.TextResourceContents{URI: r.Params.URI, MIMEType: mime, Text: text}}, nil
}

// List fills in one page of the list, which the library knows nothing
// of: specs come and go while the server runs.
func (s *ResourceServer) List(ctx context.Context, _ any, m *mcpgo.ListResourcesRequest, r *mcpgo.ListResourcesResult) {
	p, err := s.Project(ctx)
	var ids []string
	if err == nil {
		ids, err = view.IDs(ctx, p)
	}
	if err != nil {
		s.Log.Printf("resources/list: %v", err)
		return
	}
	ids, r.NextCursor = Page(ids, m.Params.Cursor, func(id string) string { return id }, spec.Compare)
	for _, id := range ids {
		r.Resources = append(r.Resources, mcpgo.Resource{URI: Scheme + id, Name: id, Title: view.Title(ctx, p, id), MIMEType: "text/markdown"})
	}
}

// Mark distinguishes one state of a resource from the next; one that cannot be read has
// a state, too.
func (s *ResourceServer) Mark(ctx context.Context, uri string) (string, error) {
	where, err := parseURI(uri)
	if err != nil {
		return "", err
	}
	p, err := s.Project(ctx)
	if err != nil {
		return "", err
	}
	if where.log {
		// A log only grows, so its size shows a change without reading it.
		size, err := view.LogSize(ctx, p, where.id)
		return fmt.Sprint(size), err
	}
	r, err := author.Source(ctx, p, where.id)
	return fmt.Sprintf("%x", sha256.Sum256(r.Text)), err
}

// CompleteResourceArgument returns the ids of specs that contain what was typed.
func (s *ResourceServer) CompleteResourceArgument(ctx context.Context, _ string, a mcpgo.CompleteArgument, _ mcpgo.CompleteContext) (*mcpgo.Completion, error) {
	if a.Name != "id" {
		return Complete(nil, ""), nil
	}
	p, err := s.Project(ctx)
	if err != nil {
		return nil, err
	}
	return CompleteID(ctx, p, a.Value)
}
