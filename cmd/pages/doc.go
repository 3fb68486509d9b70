// Package pages has the commands that show specs in a browser: site and serve.
package pages
