package mcp

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"runtime/debug"
	"strings"

	"chant/engine"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// answer carries out a message and returns the bytes of its reply, nil for a
// notification. It never panics.
func (s *server) answer(ctx context.Context, m message) (out []byte) {
	// A bug in one tool must not end the server for all clients.
	defer func() {
		if cause := recover(); cause != nil {
			s.log.Printf("panic in %s: %v\n%s", m.method, cause, debug.Stack())
			out = s.internal(m)
		}
	}()
	var r reply
	var why failure
	ctx = context.WithValue(ctx, failureKey{}, &why)
	if m.listens() {
		ctx = s.listen(ctx, m)
	}
	if m.method == mcpgo.MethodNotificationRootsListChanged {
		sessionOf(ctx).forget()
	}
	switch r.Error = refuseEarly(m); {
	case r.Error != nil:
	// Calls are answered here, since the library's checks and replies differ from the contract.
	case m.tools != nil && (m.id != nil || s.isDialectCall(ctx, m)):
		r = s.answerTools(ctx, m)
	case m.aboutTasks():
		r = s.answerTasks(ctx, m)
	default:
		m = s.readLevel(m)
		raw, err := m.encode()
		if err != nil {
			s.log.Printf("encode %s: %v", m.method, err)
			return s.internal(m)
		}
		r = s.translate(m, s.core.HandleMessage(ctx, raw), why)
	}
	// A notification gets no reply, not even an error.
	if m.id == nil {
		return nil
	}
	body, err := r.body()
	if err != nil {
		s.log.Printf("encode reply to %s: %v", m.method, err)
		return s.internal(m)
	}
	return s.redact(body)
}

// redact removes secrets from what is sent.
func (s *server) redact(body []byte) []byte {
	if s.o.Redact == nil {
		return body
	}
	return s.o.Redact(body)
}

// refuseEarly refuses requests that the library would answer differently than the contract.
func refuseEarly(m message) *rpcError {
	if m.tools != nil && m.tools.call != nil {
		return nil
	}
	if missing := missingRequired(m); missing != "" {
		return &rpcError{Code: mcpgo.INVALID_PARAMS, Message: "Missing required parameter: " + missing, id: m.id}
	}
	// The library would answer this differently.
	if len(m.params) > 0 && m.params[0] != '{' {
		return &rpcError{Code: mcpgo.INVALID_PARAMS, Message: "Invalid params: expected an object", id: m.id}
	}
	return nil
}

// missingRequired returns the required parameter that a request lacks, "" if none.
func missingRequired(m message) string {
	var given struct{ URI, Name string }
	// What cannot be read is refused later.
	switch _ = json.Unmarshal(m.params, &given); mcpgo.MCPMethod(m.method) {
	case mcpgo.MethodResourcesRead, mcpgo.MethodResourcesSubscribe, mcpgo.MethodResourcesUnsubscribe:
		if given.URI == "" {
			return "uri"
		}
	case mcpgo.MethodPromptsGet:
		if given.Name == "" {
			return "name"
		}
	}
	return ""
}

// failure is the error behind an error reply, which the library only shows as
// text.
type failure struct{ err error }

type failureKey struct{}

// translate makes our reply of the library's.
func (s *server) translate(m message, response mcpgo.JSONRPCMessage, why failure) reply {
	switch r := response.(type) {
	case mcpgo.JSONRPCResponse:
		return reply{Result: s.initializeResult(r.Result), ID: m.id}
	case mcpgo.JSONRPCError:
		return reply{Error: s.translateError(m, r.Error, why)}
	}
	return reply{Result: struct{}{}, ID: m.id}
}

// translateError spells the library's errors as the contract does. What it calls
// an invalid request are parameters it could not read: the rest is checked.
func (s *server) translateError(m message, e mcpgo.JSONRPCErrorDetails, why failure) *rpcError {
	var known *engine.Error
	if errors.As(why.err, &known) && known.Code != engine.Internal {
		return &rpcError{Code: engineCode(m, known), Message: known.Message + nextLine(known, s.catalog.Tools), id: m.id}
	}
	out := &rpcError{Code: e.Code, Message: e.Message, Data: e.Data, id: m.id}
	switch e.Code {
	case mcpgo.INVALID_PARAMS:
		if _, cursor := errors.AsType[base64.CorruptInputError](why.err); cursor {
			out.Message = "Invalid cursor"
		}
	case mcpgo.METHOD_NOT_FOUND:
		out.Message = s.notFoundMessage(m)
	// The library reports parameters that it could not read so; the rest of the request was checked before.
	case mcpgo.INVALID_REQUEST, mcpgo.PARSE_ERROR:
		out.Code, out.Message = mcpgo.INVALID_PARAMS, "Invalid params of "+m.method
	case mcpgo.INTERNAL_ERROR:
		// The details of a bug are for the log: a client learns nothing of them.
		if e.Message != errInternal.Error() {
			s.log.Printf("%s: %s", m.method, e.Message)
		}
		out.Message = errInternal.Error()
	}
	return out
}

// engineCode is the protocol's code for what the engine refuses outside a tool.
func engineCode(m message, e *engine.Error) int {
	if e.Code == engine.NotFound && strings.HasPrefix(m.method, "resources/") {
		return mcpgo.RESOURCE_NOT_FOUND
	}
	return mcpgo.INVALID_PARAMS
}

// internal is the reply when no other can be made.
func (s *server) internal(m message) []byte {
	if m.id == nil {
		return nil
	}
	return s.refuseMessage(&rpcError{Code: mcpgo.INTERNAL_ERROR, Message: errInternal.Error(), id: m.id})
}

// refuseMessage is the reply to a message that is not carried out.
func (s *server) refuseMessage(e *rpcError) []byte {
	body, err := reply{Error: e}.body()
	if err != nil {
		s.log.Printf("encode error %d: %v", e.Code, err)
	}
	return body
}

// takesLong reports whether a request must not hold up those behind it.
func (s *server) takesLong(ctx context.Context, m message) bool {
	if m.tools == nil || m.tools.call == nil {
		return m.waits()
	}
	if m.tools.task != nil && s.offersTasks(ctx, m) {
		// As a task it is only begun.
		return false
	}
	t, why := s.find(ctx, m.tools.call)
	return why == "" && t.Slow != nil && t.Slow(m.tools.call.args)
}

// waits reports whether a request does nothing but wait.
func (m message) waits() bool {
	return m.listens() || m.id != nil && m.method == string(mcpgo.MethodTasksResult)
}

// listens reports whether a request stays open until its client ends it.
func (m message) listens() bool { return m.method == string(mcpgo.MethodSubscriptionsListen) }
