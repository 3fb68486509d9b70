package mcp

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"

	"chant/engine/spec"
	"chant/engine/work"

	"chant/mcp/toolset"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
)

// answerTools answers tools/list and tools/call from the table.
func (s *server) answerTools(ctx context.Context, m message) reply {
	modern, refused := protocolOf(ctx, m)
	if refused != nil {
		return reply{Error: refused}
	}
	s.recordUse(ctx)
	if m.tools.call == nil {
		return s.listTools(ctx, m, modern)
	}
	if m.tools.task != nil && s.offersTasks(ctx, m) {
		return s.createTask(ctx, m)
	}
	t, why := s.find(ctx, m.tools.call)
	if t.Dialect != nil || s.catalog.Standalone {
		return s.answerDialectCall(ctx, m, t, modern)
	}
	if t.Name == "" && s.catalog.Strict {
		return reply{Error: &rpcError{Code: mcpgo.INVALID_PARAMS, Message: unknownTool(m.tools.call), id: m.id}}
	}
	result, err := s.callTool(ctx, m, t, why)
	if err != nil {
		return reply{Error: &rpcError{Code: mcpgo.INTERNAL_ERROR, Message: errInternal.Error(), id: m.id}}
	}
	if modern {
		s.addProtocolFields(result)
	}
	return reply{Result: *result, ID: m.id}
}

// protocolOf reports whether a request is of the protocol that has no sessions, and refuses it where it does not
// follow that protocol.
func protocolOf(ctx context.Context, m message) (modern bool, refused *rpcError) {
	version := m.tools.meta.ProtocolVersion()
	switch {
	case m.tools.broken:
		return false, &rpcError{Code: mcpgo.INVALID_PARAMS, Message: "Invalid params of " + m.method, id: m.id}
	case !mcpgo.IsModernProtocol(version):
		return false, nil
	case m.tools.meta.ClientCapabilities() == nil:
		return true, &rpcError{Code: mcpgo.INVALID_PARAMS, Message: "missing or invalid _meta field " + mcpgo.MetaKeyClientCapabilities, id: m.id}
	case !mcpgo.IsValidProtocolVersion(version):
		supported := mcpserver.SupportedProtocolVersionsFromContext(ctx)
		e := mcpgo.UnsupportedProtocolVersionError{Version: version, Supported: supported}.JSONRPCError().Error
		return true, &rpcError{Code: e.Code, Message: e.Message, Data: e.Data, id: m.id}
	}
	return true, nil
}

// addProtocolFields adds to a result what the protocol without sessions asks for.
func (s *server) addProtocolFields(r mcpgo.ResultMetadata) {
	r.SetResultType(mcpgo.ResultTypeComplete)
	r.EnsureResultMeta().SetServerInfo(mcpgo.Implementation{Name: s.name(), Version: s.o.Version})
}

// listTools answers tools/list.
func (s *server) listTools(ctx context.Context, m message, modern bool) reply {
	if cursor := m.tools.cursor; cursor != nil && string(cursor) != "null" && !s.catalog.Standalone {
		var text string
		if json.Unmarshal(cursor, &text) != nil {
			return reply{Error: &rpcError{Code: mcpgo.INVALID_PARAMS, Message: "Invalid params of " + m.method, id: m.id}}
		}
		if _, err := base64.StdEncoding.DecodeString(text); err != nil {
			return reply{Error: &rpcError{Code: mcpgo.INVALID_PARAMS, Message: "Invalid cursor", id: m.id}}
		}
	}
	tools, err := s.lists(ctx)
	// The tools that can be described are listed nevertheless: without them the client could do nothing.
	if err != nil {
		s.log.Printf("tools/list: %s", err)
	}
	result := toolList{Tools: tools}
	if !s.offersTasks(ctx, m) {
		result.Tools = withoutExecution(result.Tools)
	}
	if modern {
		s.addProtocolFields(&result)
		result.SetCacheHints(0, mcpgo.CacheScopePrivate)
	}
	return reply{Result: result, ID: m.id}
}

// toolList is the reply to tools/list.
type toolList struct {
	mcpgo.PaginatedResult
	Tools []any `json:"tools"`
}

// withoutExecution returns descriptions of tools without what is said of tasks.
func withoutExecution(tools []any) []any {
	out := slices.Clone(tools)
	for i, each := range out {
		if t, ok := each.(mcpgo.Tool); ok {
			t.Execution = nil
			out[i] = t
		}
	}
	return out
}

// describeTools lists what the server offers now. With an error it returns the tools that can be offered nevertheless.
func (s *server) describeTools(ctx context.Context) ([]any, error) {
	values, failed := s.values(ctx)
	out := make([]any, 0, len(s.catalog.Tools))
	for _, t := range s.catalog.Tools {
		described, err := describe(t, values)
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		out = append(out, described)
	}
	return out, failed
}

// describe is a tool as lists show it.
func describe(t toolset.Tool, values map[string][]string) (any, error) {
	if t.Dialect != nil {
		return t.Define(values)
	}
	hint := func(b bool) *bool { return &b }
	input, err := t.InputSchema()
	out := mcpgo.Tool{
		Name: t.Name, Title: t.Title, Description: t.Text,
		RawInputSchema:  input,
		RawOutputSchema: t.OutputSchema(),
		Annotations: mcpgo.ToolAnnotation{
			ReadOnlyHint:    hint(t.Effect == toolset.Reads),
			DestructiveHint: hint(t.Effect == toolset.Drops),
			IdempotentHint:  hint(t.Effect == toolset.Reads),
			OpenWorldHint:   hint(t.Runs()),
		},
	}
	for _, icon := range t.Icons {
		out.Icons = append(out.Icons, mcpgo.Icon{Src: icon.Src, MIMEType: icon.MIME, Sizes: icon.Sizes})
	}
	if t.Task {
		out.Execution = &mcpgo.ToolExecution{TaskSupport: mcpgo.TaskSupportOptional}
	}
	return out, err
}

// find returns the tool that a call names; why is the text with which the call is refused.
func (s *server) find(ctx context.Context, c *toolCall) (t toolset.Tool, why string) {
	if c.name == "" {
		return t, c.why
	}
	t, known := s.catalog.Find(c.name)
	if !known {
		return t, unknownTool(c)
	}
	if c.bare && acceptsBare(ctx, t, c) {
		c.args, c.bare, c.why = toolset.Arguments{}, false, ""
	}
	return t, c.why
}

// acceptsBare reports whether a tool may be called without arguments: SDKs leave them out where there are none. A client
// that has not initialized gets the contract's refusal.
func acceptsBare(ctx context.Context, t toolset.Tool, c *toolCall) bool {
	if t.ArgsOptional {
		return true
	}
	client := sessionOf(ctx)
	// A client that never initialized gets the contract's refusal.
	if !mcpgo.IsModernProtocol(c.meta.ProtocolVersion()) && (client == nil || client.ProtocolVersion() == "") {
		return false
	}
	_, err := t.Decode(toolset.Arguments{})
	return err == nil
}

// unknownTool is the text for a call of a tool that there is not.
func unknownTool(c *toolCall) string {
	if c.name == "" {
		return "Missing tool name"
	}
	return "Unknown tool: " + spec.Echo(c.name)
}

// callTool carries out tools/call. Its error is an internal one, which is logged.
func (s *server) callTool(ctx context.Context, m message, t toolset.Tool, why string) (*mcpgo.CallToolResult, error) {
	if why != "" {
		return s.failedResult(t, toolset.BadArguments(why)), nil
	}
	defer s.idle.Restart()
	result, err := s.runs(ctx, t, m.tools)
	if err == nil {
		return result, nil
	}
	if result := s.failedResult(t, err); result != nil {
		return result, nil
	}
	s.log.Printf("%s: %s", t.Name, err)
	return nil, errInternal
}

// failedResult is the result of a call that failed; nil for a bug of ours.
func (s *server) failedResult(t toolset.Tool, err error) *mcpgo.CallToolResult {
	text, ok := refusal(err, s.catalog.Tools)
	// A tool for clients of another server reports even bugs in its own form.
	if t.Failure != nil {
		if f, known := t.Failure(err, text); known {
			out := &mcpgo.CallToolResult{IsError: true, StructuredContent: f.Structured}
			for _, text := range f.Texts {
				out.Content = append(out.Content, mcpgo.NewTextContent(text))
			}
			return out
		}
	}
	if !ok {
		return nil
	}
	return mcpgo.NewToolResultError(text)
}

// runTool runs the operation of a tool.
func (s *server) runTool(ctx context.Context, t toolset.Tool, r *toolRequest) (*mcpgo.CallToolResult, error) {
	in, err := t.Decode(r.call.args)
	if err != nil {
		return nil, err
	}
	p, err := s.projectFor(ctx, t, r.call.args)
	if err != nil {
		return nil, err
	}
	p.Progress = s.progress(ctx, r.meta)
	ctx = toolset.WithDefinitions(ctx, func() ([]toolset.Definition, error) { return s.catalog.Dialect.Define(ctx, p, s.catalog.Tools) })
	if client := sessionOf(ctx); client != nil && client.store != nil {
		ctx = toolset.WithJobs(ctx, jobs{s, client.client, t, r.call.name})
	}
	result, blocks, err := t.Run(s.withPeople(ctx), p, in)
	if err != nil {
		return nil, err
	}
	// Clients of other servers do not know answers to questions in a reply.
	if t.Dialect == nil && !s.catalog.Standalone {
		var texts []string
		if texts, result, err = toolset.Receive(ctx, p, t, result); err != nil {
			// What the tool has done is done, so its reply is sent without the answers.
			s.log.Printf("%s: answers: %s", t.Name, err)
		}
		for _, text := range texts {
			blocks = append(blocks, toolset.Block{Text: text})
		}
	}
	if result, blocks, err = t.NameIgnored(r.call.args, result, blocks); err != nil {
		return nil, err
	}
	out := &mcpgo.CallToolResult{}
	// Hosts show structured content to their models in place of the text.
	if t.TextOnly {
		out.Meta = &mcpgo.Meta{AdditionalFields: map[string]any{toolset.ResultKey: result}}
	} else {
		out.StructuredContent = result
	}
	version := ""
	// A request of the newer protocol may have any block.
	if client := sessionOf(ctx); client != nil && !mcpgo.IsModernProtocol(r.meta.ProtocolVersion()) {
		version = client.ProtocolVersion()
	}
	out.Content = contentOf(blocks, version)
	return out, nil
}

// withPeople returns the context of a call in which its tool reaches the person at the client.
func (s *server) withPeople(ctx context.Context) context.Context {
	client, task := sessionOf(ctx), taskOf(ctx)
	switch {
	case client == nil:
		return ctx
	case task == nil:
		return toolset.WithPeople(ctx, people{session: client})
	}
	return toolset.WithPeople(ctx, people{client, task, relatedTo(task.ID())})
}

// recordUse records in the project, where there is one, that a client has asked for our tools or called one. Not every
// client sends initialize or asks for the list before.
func (s *server) recordUse(ctx context.Context) {
	if s.used.Load() {
		return
	}
	p, err := s.open("")
	if err != nil || p.Store == nil {
		// The tools report what is wrong with the project.
		return
	}
	if err := work.RecordToolUse(ctx, p); err != nil {
		s.log.Printf("record the use of tools: %s", err)
		return
	}
	// One record is enough for the life of the server.
	s.used.Store(true)
}
