package mcp

import (
	"chant/mcp/toolset"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// Content writes the blocks of a reply in the version of the protocol that its client knows.
//
// Decisions:
//
// 2026-11-23: what a version has no block for is sent as text: resource_link before 2025-06-18.
// Rejected: leaving it out, which loses what a tool had to say. Only what repeats other blocks is left out.

// contentOf is the content of a reply as a version of the protocol has it: what it has no block for is a text. An empty
// version is that of a client which has not sent initialize and may know all.
func contentOf(blocks []toolset.Block, version string) []mcpgo.Content {
	var out []mcpgo.Content
	for _, b := range blocks {
		hints := mcpgo.Annotated{Annotations: annotationsOf(b.Hints)}
		switch {
		case b.Link != nil && (version == "" || version >= mcpgo.ProtocolVersion20250618):
			out = append(out, linkOf(b.Link, hints))
		// Only what repeats other blocks is left out for a version that has no block for it.
		case b.Repeats:
		default:
			out = append(out, mcpgo.TextContent{Annotated: hints, Type: mcpgo.ContentTypeText, Text: b.Plain()})
		}
	}
	return out
}

// link is a resource_link without the empty fields that the library writes.
type link struct {
	mcpgo.ResourceLink
	Description string `json:"description,omitempty"`
	MIMEType    string `json:"mimeType,omitempty"`
}

func linkOf(l *toolset.Link, hints mcpgo.Annotated) link {
	return link{
		ResourceLink: mcpgo.ResourceLink{
			Annotated: hints, Type: mcpgo.ContentTypeLink, URI: l.URI, Name: l.Name,
		},
		Description: l.Description, MIMEType: l.MIME,
	}
}

// annotationsOf are the annotations of a block, nil where they say nothing.
func annotationsOf(a toolset.Annotations) *mcpgo.Annotations {
	if a.IsZero() {
		return nil
	}
	out := &mcpgo.Annotations{Priority: a.Priority}
	for _, each := range a.Audience {
		out.Audience = append(out.Audience, mcpgo.Role(each))
	}
	return out
}
