package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"chant/providers/secret"
)

const (
	maxAnswer     = 256 << 20 // bytes
	firstWait     = time.Second
	maxWait       = 30 * time.Second
	maxRetryAfter = 2 * time.Minute // that a server may ask for
)

// passingError is a failure that may be gone the next time.
type passingError struct {
	error
	after time.Duration // that the server asks for; 0 if it does not
}

// Unwrap returns the failure.
func (e *passingError) Unwrap() error { return e.error }

// ask returns the vectors of a batch of texts.
func (c *Client) ask(ctx context.Context, texts []string) ([][]float32, error) {
	wait := firstWait
	for try := 0; ; try++ {
		vectors, err := c.post(ctx, texts)
		if err == nil {
			err = c.accept(vectors, len(texts))
		}
		if err == nil || ctx.Err() != nil {
			return vectors, errors.Join(err, ctx.Err())
		}
		var passing *passingError
		// A pause that is longer than a search may take is not worth waiting for.
		if !errors.As(err, &passing) || try >= c.Retries || passing.after > maxRetryAfter {
			return nil, err
		}
		pause := wait
		if passing.after > 0 {
			pause = passing.after
		}
		if err := c.Sleep(ctx, pause); err != nil {
			return nil, err
		}
		wait = min(2*wait, maxWait)
	}
}

// post sends one request.
func (c *Client) post(ctx context.Context, texts []string) ([][]float32, error) {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	path := "/embeddings"
	if c.API == Ollama {
		path = "/api/embed"
	}
	body, err := json.Marshal(map[string]any{"model": c.Model, "input": texts})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.Endpoint+path, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("invalid URL %q", secret.InSettings(c.Endpoint))
	}
	req.Header.Set("Content-Type", "application/json")
	if c.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.Key)
	}
	res, err := c.http.Do(req)
	// A second try would take as long again.
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return nil, fmt.Errorf("no answer from %s within %s", secret.InSettings(c.Endpoint), c.Timeout)
	}
	if err != nil {
		// The error of the client would repeat the URL, which may contain a password.
		return nil, &passingError{error: fmt.Errorf("no answer from %s: %w", secret.InSettings(c.Endpoint), rootOf(err))}
	}
	// What was not read is not wanted.
	defer res.Body.Close()
	// A broken server could answer without end.
	src, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return nil, fmt.Errorf("no whole answer from %s within %s", secret.InSettings(c.Endpoint), c.Timeout)
	}
	if err != nil {
		return nil, &passingError{error: fmt.Errorf("the answer of %s broke off: %w", secret.InSettings(c.Endpoint), rootOf(err))}
	}
	if res.StatusCode != http.StatusOK {
		return nil, c.refusal(res, src)
	}
	return c.read(src, len(texts))
}

// rootOf returns the innermost cause, without the URL that every layer repeats.
func rootOf(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}

// refusal returns the error of a failed request. What it quotes of the answer does not contain the key.
func (c *Client) refusal(res *http.Response, src []byte) error {
	words := strings.Join(strings.Fields(string(src[:min(len(src), 300)])), " ")
	// Servers quote the key that they refuse.
	if c.Key != "" {
		words = strings.ReplaceAll(words, c.Key, "[key]")
	}
	err := fmt.Errorf("the server answered %s: %s", res.Status, secret.InSettings(c.Secrets.Text(words)))
	switch code := res.StatusCode; {
	case code == http.StatusTooManyRequests, code == http.StatusRequestTimeout, code >= 500:
		// A date or nonsense counts as no wish; the upper limit keeps the product from overflowing.
		seconds, _ := strconv.Atoi(res.Header.Get("Retry-After"))
		return &passingError{err, time.Duration(min(max(seconds, 0), 1<<20)) * time.Second}
	}
	return err
}

// read returns the vectors of an answer, in the order of the texts.
func (c *Client) read(src []byte, want int) ([][]float32, error) {
	var answer struct {
		Embeddings [][]float32
		Data       []struct {
			Index     int
			Embedding []float32
		}
	}
	if err := json.Unmarshal(src, &answer); err != nil {
		return nil, fmt.Errorf("the server returned no list of vectors: %w", err)
	}
	if c.API == Ollama {
		return answer.Embeddings, nil
	}
	vectors := make([][]float32, want)
	// The API may answer in any order, and names the text of each vector.
	for _, d := range answer.Data {
		if d.Index < 0 || d.Index >= want || vectors[d.Index] != nil {
			return nil, fmt.Errorf("the server returned a vector for text %d of %d", d.Index, want)
		}
		vectors[d.Index] = d.Embedding
	}
	return vectors, nil
}
