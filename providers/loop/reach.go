package loop

import (
	"context"
	"fmt"
	"net/http"
)

// Reach asks whether anybody answers at a URL, whatever the answer is. It shows no key.
// Error: what the connection broke on, or ctx's own.
func Reach(ctx context.Context, url string) error {
	c := newClient(url, "")
	defer c.close()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	res, err := c.http.Do(req)
	if err != nil {
		return fmt.Errorf("no answer from %s: %w", url, rootOf(err))
	}
	return res.Body.Close()
}
