package code_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/code"
	"chant/engine/enginetest"
	"chant/engine/store"
	"chant/engine/store/config"

	"github.com/alecthomas/assert/v2"
)

// vectorServer is a server of embeddings for which a text means one of the subjects, whichever words it says it in.
type vectorServer struct {
	*httptest.Server
	mu    sync.Mutex
	texts []string // that it was sent
	keys  []string
	down  bool
	more  int // numbers that a vector has besides
}

// meanings are the words for each subject of the shop.
var meanings = [][]string{{"invoice", "bill"}, {"customer", "buyer"}, {"delivery", "shipping"}, {"discount", "rebate"}, {"warehouse", "storage"}}

func newVectorServer(t *testing.T) *vectorServer {
	s := &vectorServer{}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *vectorServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in struct{ Input []string }
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.down {
		http.Error(w, "no such model", http.StatusNotFound)
		return
	}
	s.texts, s.keys = append(s.texts, in.Input...), append(s.keys, r.Header.Get("Authorization"))
	list, data := [][]float32{}, []any{}
	for i, text := range in.Input {
		v := make([]float32, len(meanings)+1+s.more)
		for n, words := range meanings {
			for _, word := range words {
				v[n] += float32(strings.Count(strings.ToLower(text), word))
			}
		}
		v[len(meanings)] = 0.1
		list = append(list, v)
		data = append(data, map[string]any{"index": i, "embedding": v})
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"embeddings": list, "data": data})
}

// taken returns the texts that the server was sent since the last time.
func (s *vectorServer) taken() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	texts := s.texts
	s.texts = nil
	return texts
}

// embedding is a shop whose settings name a server.
func embedding(t *testing.T, provider, endpoint string) (*engine.Project, string) {
	t.Helper()
	p, dir := shop(t)
	p.Config.Code.Embeddings.Provider, p.Config.Code.Embeddings.Endpoint, p.Config.Code.Embeddings.Model = provider, endpoint, "m"
	return p, dir
}

func search(t *testing.T, p *engine.Project, query string) code.SearchResult {
	t.Helper()
	r, err := code.Search(t.Context(), p, code.SearchInput{Query: query, Build: true})
	assert.NoError(t, err)
	return r
}

// TestSearch_server: a server's vectors find what no word says. Each content is sent once, whichever worktree has it, and
// nothing with a secret.
func TestSearch_server(t *testing.T) {
	t.Parallel()
	for _, api := range []string{"ollama", "openai"} {
		s := newVectorServer(t)
		p, dir := embedding(t, api, s.URL)
		enginetest.Write(t, dir, "secret/secret.go", "package secret\n\nfunc Login() { open(\"db\", dbPassword(\"hunter2hunter2\")) }\n")
		r := search(t, p, "rebate")
		assert.Equal(t, "ok", r.Semantic, "%s", api)
		assert.NotEqual(t, 0, r.Count, "%s", api)
		assert.Equal(t, "discount/discount.go", r.Results[0].Path, "%s", api)
		assert.NotZero(t, r.Results[0].Meaning, "%s", api)
		first := s.taken()
		assert.True(t, len(first) >= 6, "%s: the server was sent %q", api, first)
		assert.False(t, slices.ContainsFunc(first, func(text string) bool { return strings.Contains(text, "hunter2") }), "%s: the server was sent %q", api, first)
		if !slices.ContainsFunc(first, func(text string) bool { return strings.HasPrefix(text, "discount/discount.go\n") }) {
			t.Errorf("%s: no text has its path: %q", api, first)
		}
		search(t, p, "rebate")
		assert.Equal(t, []string{"rebate"}, s.taken(), "%s: the second time the server was sent", api)
		if r, err := code.Index(t.Context(), p, code.IndexInput{}); err != nil || r.Semantic != "ok" || len(s.taken()) > 0 {
			t.Errorf("%s: index: %+v, %v", api, r, err)
		}
		enginetest.Write(t, dir, "customer/customer.go", "package customer\n\n// Find looks a buyer up.\nfunc Find() {}\n")
		r = search(t, p, "find a customer")
		assert.Equal(t, "customer/customer.go", r.Results[0].Path, "%s", api)
		assert.SliceContains(t, r.Results[0].Symbols, "Find", "%s", api)
		changed := s.taken()
		assert.Equal(t, 3, len(changed), "%s: after a change the server was sent", api)
		assert.HasPrefix(t, changed[0], "customer/customer.go\n", "%s: after a change the server was sent", api)
		tree := filepath.Join(t.TempDir(), "tree")
		enginetest.Git(t, dir, "worktree", "add", "-q", tree)
		r, err := code.Search(t.Context(), p, code.SearchInput{Query: "rebate", Path: tree})
		assert.NoError(t, err, "%s: in a new worktree", api)
		assert.Equal(t, "discount/discount.go", r.Results[0].Path, "%s: in a new worktree", api)
		assert.Equal(t, 1, len(s.taken()), "%s: in a new worktree", api)
	}
}

// TestSearch_serverFails: without the server, words find what they find, and the result says why that is all.
func TestSearch_serverFails(t *testing.T) {
	t.Parallel()
	s := newVectorServer(t)
	p, _ := embedding(t, "ollama", s.URL)
	s.down = true
	r := search(t, p, "Print an invoice")
	assert.NotEqual(t, 0, r.Count, "%+v", r.Results)
	assert.HasPrefix(t, r.Semantic, "off: ", "%+v", r.Results)
	assert.Contains(t, r.Semantic, "no such model", "%+v", r.Results)
	s.Close()
	r = search(t, p, "Print an invoice")
	assert.NotEqual(t, 0, r.Count, "%+v", r.Results)
	assert.HasPrefix(t, r.Semantic, "off: ", "%+v", r.Results)
	assert.Equal(t, 1, len(r.Notices), "%+v", r.Results)
}

// TestSearch_otherVectors: where the query has no vector, or one of another model, the result says that words alone were
// compared. With force, all vectors are made anew.
func TestSearch_otherVectors(t *testing.T) {
	t.Parallel()
	s := newVectorServer(t)
	p, _ := embedding(t, "ollama", s.URL)
	search(t, p, "rebate")
	r := search(t, p, `password = "hunter2hunter2"`)
	assert.Contains(t, r.Semantic, "may hold a secret", "%q", r.Notices)
	assert.Equal(t, 1, len(r.Notices), "%q", r.Notices)
	s.more = 3
	r = search(t, p, "rebate")
	assert.Contains(t, r.Semantic, "have 9 numbers now, and those of the code 6 (index the code with force)", "%q", r.Notices)
	assert.Equal(t, 1, len(r.Notices), "%q", r.Notices)
	if r, err := code.Index(t.Context(), p, code.IndexInput{Force: true}); err != nil || r.Semantic != "ok" {
		t.Errorf("%+v, %v", r, err)
	}
	r = search(t, p, "rebate")
	assert.Equal(t, "ok", r.Semantic)
	assert.Equal(t, "discount/discount.go", r.Results[0].Path)
	assert.NotZero(t, r.Results[0].Meaning)
}

// TestSearch_failureIsRemembered: a server of chant does not ask an embedder with each search that has just failed.
func TestSearch_failureIsRemembered(t *testing.T) {
	t.Parallel()
	s := newVectorServer(t)
	p, _ := embedding(t, "ollama", s.URL)
	p.Recall = &store.Cache{}
	t.Cleanup(p.Recall.Close)
	now := p.Now()
	p.Now = func() time.Time { return now }
	s.down = true
	search(t, p, "rebate")
	s.down = false
	r := search(t, p, "rebate")
	assert.Contains(t, r.Semantic, "asked again in a minute")
	assert.Zero(t, s.taken())
	now = now.Add(time.Minute)
	assert.Equal(t, "ok", search(t, p, "rebate").Semantic)
}

// TestSearch_many: a search has a server make the vectors of a few chunks only; the index makes all.
func TestSearch_many(t *testing.T) {
	t.Parallel()
	s := newVectorServer(t)
	p, dir := embedding(t, "ollama", s.URL)
	for i := range 30 {
		var b strings.Builder
		b.WriteString("package many\n")
		for n := range 10 {
			fmt.Fprintf(&b, "\nfunc F%dx%d() { buyer(%d) }\n", i, n, n)
		}
		enginetest.Write(t, dir, fmt.Sprintf("many/f%d.go", i), b.String())
	}
	r := search(t, p, "Print an invoice")
	assert.Contains(t, r.Semantic, "index the code")
	assert.Zero(t, s.taken())
	if r, err := code.Index(t.Context(), p, code.IndexInput{}); err != nil || r.Semantic != "ok" || len(s.taken()) < 300 {
		t.Errorf("%+v, %v", r, err)
	}
	r = search(t, p, "rebate")
	assert.Equal(t, "ok", r.Semantic)
	assert.Equal(t, "discount/discount.go", r.Results[0].Path)
	assert.Zero(t, r.Notices)
}

// TestSearch_consent: code goes to another machine, and a key to any server, only if git's settings name that server.
func TestSearch_consent(t *testing.T) {
	t.Parallel()
	s := newVectorServer(t)
	p, dir := embedding(t, "openai", s.URL)
	p.Config.Code.Embeddings.KeyEnv = "MY_KEY"
	p.Environ = append(slices.Clone(p.Environ), "MY_KEY=sk-0123456789abcdef", "OPENAI_API_KEY=sk-fedcba9876543210")
	r := search(t, p, "rebate")
	assert.Equal(t, "off: nothing is sent to "+s.URL+" before you allow it: git config chant.embeddings "+s.URL, r.Semantic)
	assert.Zero(t, s.taken())
	enginetest.Git(t, dir, "config", "chant.embeddings", s.URL)
	r = search(t, p, "rebate")
	assert.Equal(t, "ok", r.Semantic)
	assert.NotEqual(t, 0, len(s.taken()))
	assert.Equal(t, "Bearer sk-0123456789abcdef", s.keys[0])
	for _, endpoint := range []string{"", "http://192.0.2.1:1", "http://localhost.example.org", "http://127.0.0.1.example.org/v1", "http://u:p@192.0.2.1/x"} {
		p.Config.Code.Embeddings.Endpoint, p.Config.Code.Embeddings.KeyEnv = endpoint, ""
		r := search(t, p, "rebate")
		assert.HasPrefix(t, r.Semantic, "off: nothing is sent to http", "%q", endpoint)
		assert.NotContains(t, r.Semantic, "u:p", "%q", endpoint)
	}
}

// TestSearch_off: with the setting, words alone count.
func TestSearch_off(t *testing.T) {
	t.Parallel()
	p, _ := embedding(t, config.EmbeddingsOff, "")
	r := search(t, p, "rebate")
	assert.Equal(t, "off: by the settings", r.Semantic)
	assert.True(t, r.Count <= 0, "got %s with %d results, want off and none", r.Semantic, r.Count)
}
