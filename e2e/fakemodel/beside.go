package fakemodel

import (
	"net/http"
	"strings"
)

// modelName is that of the one model in lists of models.
const modelName = "fake-model"

// answerOther answers what clients ask beside answers of the model.
func (s *Server) answerOther(w http.ResponseWriter, f form, r Request) {
	tokens := len(r.Body)/bytesPerToken + 1
	// Clients put a gateway's folder before the version.
	_, route, _ := strings.Cut(r.Path, "/v1/")
	name, isModel := strings.CutPrefix(route, "models/")
	switch {
	case route == "messages/count_tokens":
		s.json(w, http.StatusOK, map[string]int{"input_tokens": tokens})
	case route == "models":
		s.json(w, http.StatusOK, modelList())
	case isModel:
		s.json(w, http.StatusOK, model(name))
	case strings.HasSuffix(r.Path, ":countTokens"):
		s.json(w, http.StatusOK, map[string]int{"totalTokens": tokens})
	case strings.HasSuffix(r.Path, "/api/tags"):
		s.json(w, http.StatusOK, map[string]any{"models": []any{map[string]any{"name": modelName, "model": modelName}}})
	case route == "" && r.Method == http.MethodHead: // clients warm up the connection so
	default:
		s.fail(w, f, http.StatusNotFound, "no such path")
	}
}

// model describes one to clients of Anthropic and of OpenAI, which ask for it at
// the same path.
func model(id string) map[string]any {
	return map[string]any{
		"type": "model", "id": id, "display_name": id, "created_at": "2026-01-01T00:00:00Z",
		"object": "model", "created": epoch, "owned_by": "fake",
	}
}

// modelList is their list of models, of either.
func modelList() map[string]any {
	m := model(modelName)
	return map[string]any{"data": []any{m}, "has_more": false, "first_id": m["id"], "last_id": m["id"], "object": "list"}
}
