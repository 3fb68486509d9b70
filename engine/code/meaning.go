package code

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"chant/engine/code/embed"
	"chant/engine/code/embed/remote"
	"chant/engine/code/shelf"
	"chant/engine/store/config"
	"chant/providers"
)

const (
	// tooLittle says why there is no model of the repository.
	tooLittle = "off: too few documented functions to learn from"

	// consentKey is the key of git's settings that names the server to which code may be sent.
	consentKey = "chant.embeddings"

	maxMadeInSearch = 200              // chunks whose vectors a search has a server make
	searchLimit     = 10 * time.Second // of a request of a search to a server
)

// nearestDocs are the documents of a worktree that are nearest to a question.
type nearestDocs struct {
	near     []shelf.Near // the nearest first; nil if nothing is compared
	semantic string       // "ok", or why only words are compared
	notice   string       // what is only partly so; "" for nothing
}

// compare compares the meaning of a question with that of all code that may be found.
func (at *codeFolder) compare(ctx context.Context, shot *shelf.Snapshot, q *question, keep keeper) nearestDocs {
	if at.p.Config.Code.Embeddings.Provider == "" {
		if m := shot.Meaning(); m != nil {
			return nearestDocs{near: m.Nearest(q.query, q.limitOfEach(), keep), semantic: "ok"}
		}
		return nearestDocs{semantic: tooLittle}
	}
	e, err := at.embedder(ctx, false)
	if err != nil || e == nil {
		return wordsOnly(err)
	}
	defer e.Close()
	// Otherwise each search would wait for an embedder that does not answer.
	if failed, ok := at.p.Recall.Kept(keptFailure{e.ID()}).(failure); ok && at.p.Now().Before(failed.until) {
		return wordsOnly(fmt.Errorf("%w (it is asked again in a minute)", failed.err))
	}
	m, missing, err := shot.Embedded(ctx, shelf.Embedding{Embedder: e, Max: e.max})
	var asked [][]float32
	if err == nil && m != nil {
		asked, err = e.Vectors(ctx, []string{q.query})
	}
	if err != nil {
		// A search that was canceled says nothing about the embedder.
		if ctx.Err() == nil {
			at.p.Recall.Keep(keptFailure{e.ID()}, failure{err, at.p.Now().Add(time.Minute)})
		}
		return wordsOnly(err)
	}
	if m == nil {
		return wordsOnly(errors.New("no vectors have been made yet, index the code"))
	}
	switch {
	case asked[0] == nil:
		return wordsOnly(errors.New("the query may hold a secret, and was not sent"))
	// The server has another model under the same name now.
	case len(asked[0]) != m.Dim():
		return wordsOnly(fmt.Errorf("the vectors of the model have %d numbers now, and those of the code %d (index the code with force)", len(asked[0]), m.Dim()))
	}
	c := nearestDocs{near: m.NearestTo(asked[0], q.limitOfEach(), keep), semantic: "ok"}
	if missing > 0 {
		c.notice = fmt.Sprintf("%d pieces of code have no vectors yet and are found by their words only; index the code", missing)
	}
	return c
}

// wordsOnly returns the result of a search in which only words count; err is nil if the settings want that.
func wordsOnly(err error) nearestDocs {
	c := nearestDocs{semantic: whyWordsOnly(err)}
	if err != nil {
		c.notice = "only words were compared, not meanings: " + strings.TrimPrefix(c.semantic, "off: ")
	}
	return c
}

// keptFailure is the key of the last failure of an embedder among what a server remembers.
type keptFailure struct{ id string }

// failure is why an embedder was of no use, and until when it is not asked again.
type failure struct {
	err   error
	until time.Time
}

// whyWordsOnly returns why only words are compared.
func whyWordsOnly(err error) string {
	if err == nil {
		return "off: by the settings"
	}
	return "off: " + strings.Join(strings.Fields(err.Error()), " ")
}

// embedAll makes the vectors of all code that the settings ask for, and returns what a result says about meanings.
func (at *codeFolder) embedAll(ctx context.Context, shot *shelf.Snapshot, in IndexInput) string {
	if at.p.Config.Code.Embeddings.Provider == "" {
		return comparisonState(shot.HasModel())
	}
	e, err := at.embedder(ctx, true)
	if err != nil || e == nil {
		return whyWordsOnly(err)
	}
	defer e.Close()
	m, missing, err := shot.Embedded(ctx, shelf.Embedding{Embedder: e, Anew: in.Force, Progress: in.Progress})
	switch {
	case err != nil:
		return whyWordsOnly(err)
	case missing > 0:
		return fmt.Sprintf("partly: %d pieces of code have no vectors", missing)
	case m == nil:
		return whyWordsOnly(errors.New("there is no code"))
	}
	return "ok"
}

// comparisonState returns the state of the comparison of meanings by the model of the repository.
func comparisonState(learned bool) string {
	if learned {
		return "ok"
	}
	return tooLittle
}

// searchEmbedder is an embedder with the limits of its use.
type searchEmbedder struct {
	embed.Embedder
	max   int // chunks that get vectors in a search; 0 = all
	close func()
}

// Close gives back what the embedder holds.
func (m *searchEmbedder) Close() {
	if m.close != nil {
		m.close()
	}
}

// embedder returns the embedder that the settings name; nil for none. patient says whether requests may take long.
func (at *codeFolder) embedder(ctx context.Context, patient bool) (*searchEmbedder, error) {
	c := at.p.Config.Code.Embeddings
	switch c.Provider {
	case config.EmbeddingsOff:
		return nil, nil
	}
	endpoint := cmp.Or(c.Endpoint, usualEndpoint(c.Provider))
	key := ""
	if name := cmp.Or(c.KeyEnv, usualKey(c.Provider, endpoint)); name != "" {
		key = providers.Variable(at.p.Environ, name)
	}
	// Consent comes before the client, so that no connection is made without it.
	if err := at.consents(ctx, endpoint, key != ""); err != nil {
		return nil, err
	}
	how := remote.Config{API: remote.API(c.Provider), Endpoint: endpoint, Model: c.Model, Key: key, Secrets: at.p.Secrets}
	if !patient {
		// A search has words to compare as well, so it does not wait for retries.
		how.Timeout, how.Retries = searchLimit, -1
	}
	client, err := remote.New(how)
	if err != nil {
		return nil, err
	}
	return &searchEmbedder{Embedder: client, max: maxMadeInSearch, close: client.Close}, nil
}

// usualEndpoint is where a server is unless the settings say otherwise.
func usualEndpoint(provider string) string {
	if provider == string(remote.Ollama) {
		return "http://127.0.0.1:11434"
	}
	return "https://api.openai.com/v1"
}

// usualKey is the variable that holds the key of a server, "" for a server of which none is known.
func usualKey(provider, endpoint string) string {
	// A key of OpenAI goes to OpenAI only, whatever server the settings of a clone name.
	if provider == string(remote.OpenAI) && endpoint == usualEndpoint(provider) {
		return "OPENAI_API_KEY"
	}
	return ""
}

// consents returns an error unless code, and a key, may be sent to a server: the settings of the project, which come
// with a clone, do not decide that alone. A server on this machine gets code, but no key.
func (at *codeFolder) consents(ctx context.Context, endpoint string, key bool) error {
	u, err := url.Parse(endpoint)
	if err != nil {
		// A part of the endpoint may be a password, so it is not repeated.
		return errors.New("the endpoint is no URL")
	}
	host := u.Hostname()
	// A server on this machine gets code, but no key, because it may be another user's.
	if ip := net.ParseIP(host); !key && (host == "localhost" || ip != nil && ip.IsLoopback()) {
		return nil
	}
	// The settings of the project come with a clone; git's own settings do not.
	allowed, err := at.shelf.Repo.Config(ctx, consentKey)
	if err != nil {
		return err
	}
	own := u.Scheme + "://" + u.Host
	if a, err := url.Parse(allowed); err == nil && a.Scheme+"://"+a.Host == own {
		return nil
	}
	return fmt.Errorf("nothing is sent to %s before you allow it: git config %s %s", own, consentKey, own)
}
