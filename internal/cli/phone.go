package cli

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"

	"github.com/mdp/qrterminal/v3"
	"github.com/spf13/cobra"

	"rpcbench/internal/call/target"
	"rpcbench/internal/cli/phone"
	"rpcbench/internal/report"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/driver"
	"rpcbench/internal/run/fleet"
	"rpcbench/internal/run/launch/browser"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/credential"
)

// phoneScenario is the default scenario for browsers.
const phoneScenario = "phone"

// secretLength is the number of secret letters in the address: 80 bits.
const secretLength = 16

// phoneFlags holds the flags of phone.
type phoneFlags struct {
	runFlags

	listen      string
	pair        certFlags
	credentials string          // a folder
	keys        *credential.Set // of either; nil is plaintext
}

// phone serves a page that measures in a browser.
func (e *env) phone() *cobra.Command {
	var flags phoneFlags
	command := &cobra.Command{
		Use:   "phone [SCENARIO | FILE.yaml ...]",
		Short: "Measure in a browser, such as that of a phone, and report",
		Example: `  rpcbench phone
  rpcbench phone --set link=4g --trials 1
  rpcbench phone --listen 127.0.0.1:8080
  rpcbench phone --credentials keys`,
		RunE: func(command *cobra.Command, names []string) error {
			if err := flags.check(e.temporary); err != nil {
				return err
			}
			return e.servePhone(command.Context(), flags, names)
		},
	}
	flags.selection.flags(command)
	completeScenarios(command)
	flags.outputFlags.flags(command.Flags())
	command.Flags().StringVar(&flags.listen, "listen", "",
		"`address` to listen on (default: this machine's in its network, and a free port); servers of trials listen there, too")
	flags.pair.flags(command.Flags(), "`file` with a certificate that the browser trusts, in PEM, for TLS; trials use it, too")
	command.Flags().StringVar(&flags.credentials, "credentials", "",
		"`directory` of credentials for TLS, made if there is none; its CA, which the page offers, has to be installed on the phone")
	return command
}

// servePhone serves until it is interrupted.
func (e *env) servePhone(ctx context.Context, flags phoneFlags, names []string) error {
	if len(names) == 0 {
		names = []string{phoneScenario}
	}
	flags.noFloor = true // it is this machine's, and no browser reaches it
	address := flags.listen
	if address == "" {
		address = net.JoinHostPort(networkAddress(), "0")
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return badInput(fmt.Errorf("--listen: %w", err))
	}
	defer listener.Close()
	at := reached(listener.Addr())
	if err := flags.readKeys(net.ParseIP(browser.HostOf(at))); err != nil {
		return badInput(err)
	}
	flags.workers.browser = browser.New()
	bench := &phoneBench{env: e, flags: flags.runFlags, names: names, keys: flags.keys}
	if _, err := flags.scenarios(names); err != nil {
		return badInput(err)
	}
	secret := strings.ToLower(rand.Text()[:secretLength])
	listener, scheme, err := flags.secure(listener, at)
	if err != nil {
		return badInput(err)
	}
	url := scheme + at.String() + "/" + secret + "/"
	if _, err := fmt.Fprintf(e.out, "%s\n", url); err != nil {
		return failed(err)
	}
	e.invite(url, at)
	ctx, restore := interruptible(ctx, nothing, nothing)
	defer restore()
	server := &phone.Server{
		Bench: bench, Launcher: flags.workers.browser, Secret: secret, Log: e.err, App: fleet.Beside("android", "rpcbench.apk"),
	}
	if flags.credentials != "" {
		server.Authority = flags.keys.CAPEM
	}
	return orFailed(server.Serve(ctx, listener))
}

// readKeys reads the certificate, or makes one for an address, and has trials be over TLS with it: a page over TLS calls nothing
// else.
func (f *phoneFlags) readKeys(at net.IP) error {
	if err := f.pair.check(); err != nil {
		return err
	}
	switch {
	case f.pair.cert != "" && f.credentials != "":
		return errors.New("--credentials creates a certificate: leave out --cert and --key")
	case f.credentials != "":
		set, err := credential.OpenAt(f.credentials, at)
		if err != nil {
			return fmt.Errorf("--credentials: %w", err)
		}
		f.encrypt(set)
	case f.pair.cert != "":
		text, _, err := f.pair.read()
		if err != nil {
			return err
		}
		f.encrypt(credential.Set{CAPEM: text.CertPEM, Server: text})
	}
	return nil
}

func (f *phoneFlags) encrypt(set credential.Set) {
	f.keys = &set
	f.sets = append(f.sets, "security="+stack.SecurityTLS)
}

// secure has a listener that is reached at an address speak TLS where there is a certificate.
//
// Servers of trials are reached by the same address, so the certificate has to be for that.
func (f *phoneFlags) secure(l net.Listener, at net.Addr) (listener net.Listener, scheme string, err error) {
	if f.keys == nil {
		return l, "http://", nil
	}
	pair, err := tls.X509KeyPair(f.keys.Server.CertPEM, f.keys.Server.KeyPEM)
	if err != nil {
		return nil, "", fmt.Errorf("--cert: %w", err)
	}
	if err := pair.Leaf.VerifyHostname(browser.HostOf(at)); err != nil {
		return nil, "", fmt.Errorf("--cert: the certificate is not valid for %s, the address of the page; create one for it",
			browser.HostOf(at))
	}
	return tls.NewListener(l, pageTLS(pair)), "https://", nil
}

// invite says how to open the page, at a terminal with a QR code.
func (e *env) invite(url string, at net.Addr) {
	if isScreen(os.Stderr) {
		qrterminal.GenerateWithConfig(url, qrterminal.Config{
			Level: qrterminal.L, Writer: os.Stderr, HalfBlocks: true, QuietZone: 2,
			BlackChar: qrterminal.BLACK_BLACK, WhiteChar: qrterminal.WHITE_WHITE,
			BlackWhiteChar: qrterminal.BLACK_WHITE, WhiteBlackChar: qrterminal.WHITE_BLACK,
		})
	}
	if host := browser.HostOf(at); target.IsLoopback(host) {
		fmt.Fprintf(e.err, "open it in a browser of this machine; for a phone, --listen an address of the network that it is in\n")
	} else {
		fmt.Fprintf(e.err, "open it in a browser of a phone or computer in the same network; it finds this machine at %s, where "+
			"the servers of trials listen on separate ports. Ctrl-C ends it\n", host)
	}
}

// reached is the address at which a browser finds what listens at another one: on all of this machine's, at that in its network.
func reached(listens net.Addr) net.Addr {
	if at, ok := listens.(*net.TCPAddr); ok && at.IP.IsUnspecified() {
		return &net.TCPAddr{IP: net.ParseIP(networkAddress()), Port: at.Port}
	}
	return listens
}

// networkAddress is this machine's in its network: its first private IPv4 address, or the loopback one where it has none.
func networkAddress() string {
	addresses, err := net.InterfaceAddrs()
	if err == nil {
		for _, address := range addresses {
			if of, ok := address.(*net.IPNet); ok && of.IP.To4() != nil && of.IP.IsPrivate() {
				return of.IP.String()
			}
		}
	}
	return "127.0.0.1"
}

// A phoneBench measures scenarios in the browser that has the page.
type phoneBench struct {
	env   *env
	flags runFlags
	names []string
	keys  *credential.Set // nil leaves them to the run
}

// plan makes the work, for which it asks the page what it supports.
func (b *phoneBench) plan(ctx context.Context) (work, error) {
	return b.flags.plan(ctx, b.env, b.names, b.flags.strangerFlags, b.flags.hostFlags)
}

// Plan implements phone.Bench.
func (b *phoneBench) Plan(ctx context.Context) (phone.Plan, error) {
	w, err := b.plan(ctx)
	if err != nil {
		return phone.Plan{}, err
	}
	if len(w.plan.Trials) == 0 {
		return phone.Plan{}, errors.New("nothing that was requested can be measured")
	}
	title := w.scenarios[0].Question
	if title == "" || len(w.scenarios) > 1 {
		title = strings.Join(b.names, ", ")
	}
	return phone.Plan{Title: title, Trials: len(w.plan.Trials), About: w.plan.Expected()}, nil
}

// Run implements phone.Bench.
func (b *phoneBench) Run(ctx context.Context, hears driver.Watcher) (phone.Result, error) {
	flags := b.flags
	if err := flags.check(b.env.temporary); err != nil { // names a file of its own, unless --out does
		return phone.Result{}, err
	}
	w, err := b.plan(ctx)
	if err != nil {
		return phone.Result{}, err
	}
	w.keys, w.listeners = b.keys, append(w.listeners, hears)
	err = b.env.execute(ctx, &flags.outputFlags, w)
	if codeOf(err) == exitBadInput && err != nil { // the file is another's
		return phone.Result{}, err
	}
	measured := phone.Result{File: flags.where()}
	file, unread := result.ReadFile(flags.out)
	if unread != nil || len(file.Trials) == 0 {
		return phone.Result{}, err
	}
	for _, trial := range file.Trials {
		if trial.Failure != "" {
			measured.Failed++
		}
	}
	measured.Page = b.page(flags)
	if err != nil {
		fmt.Fprintf(b.env.err, "%v\n", err)
	}
	return measured, err
}

// page is the report for the browser; nil where it can't be made.
func (b *phoneBench) page(flags runFlags) []byte {
	var page bytes.Buffer
	shown := *b.env
	shown.out, shown.screen = &page, &page
	as := reportFlags{format: report.FormatHTML, shownAs: flags.sink.words()}
	if err := shown.reportFiles([]string{flags.out}, as); err != nil {
		fmt.Fprintf(b.env.err, "warning: the report for the browser: %v\n", err)
		return nil
	}
	return page.Bytes()
}
