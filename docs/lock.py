#!/usr/bin/env python3
"""A client of the locks of lock-spring-boot without any package, after docs/protocol.md.

It waits in the queue of a lock, renews its lease in the background and releases the lock.
Run as a program, it increments the value of the key 'counter' once in each section:

    lock.py <host> <port> <folder of the scripts> <lock> <lease in ms> <sections> <seconds for each>
"""
import pathlib, queue, re, secrets, socket, sys, threading, time


class Redis:
    """A connection for one thread at a time."""

    def __init__(self, host, port):
        self.socket = socket.create_connection((host, port))
        self.replies = self.socket.makefile('rb')

    def call(self, *words):
        words = [str(word).encode() for word in words]
        self.socket.sendall(b'*%d\r\n' % len(words) + b''.join(b'$%d\r\n%b\r\n' % (len(word), word) for word in words))
        return self.read()

    def read(self):
        line = self.replies.readline().decode().rstrip()
        kind, rest = line[:1], line[1:]
        if kind == '*':
            return [self.read() for _ in range(int(rest))]
        if kind == '$':
            return None if rest == '-1' else self.replies.read(int(rest) + 2)[:-2].decode()
        if kind in ('', '-'):
            raise ConnectionError(rest or 'closed')
        return int(rest) if kind == ':' else rest


class Lock:
    """An exclusive lock, for one thread."""

    def __init__(self, host, port, scripts, name, lease_millis):
        def read(*files):
            text = ''.join(pathlib.Path(scripts, file + '.lua').read_text() for file in files)
            return re.sub(r'(?m)^\s*-- include (\S+)\.lua$', lambda line: read(line[1]), text)
        self.acquire_script = read('constants', 'acquire-first', 'handover', 'queue', 'acquire')
        self.renew_script = read('constants', 'handover', 'renew')
        self.release_script = read('constants', 'release-last', 'handover', 'queue', 'release')
        self.keys = ['lock:{%s}%s' % (name, suffix) for suffix in ('', ':f', ':q', ':p', ':d', ':r')]
        self.lease_millis, self.token, self.attempts = lease_millis, 0, 0
        self.held, self.lost = threading.Event(), None
        self.redis, self.mutex = Redis(host, port), threading.Lock()
        self.instance, self.messages, subscription = secrets.token_hex(8), queue.Queue(), Redis(host, port)
        subscription.call('SUBSCRIBE', 'lock:inbox:' + self.instance)
        threading.Thread(target=self.listen, args=[subscription], daemon=True).start()
        threading.Thread(target=self.renew_while_held, daemon=True).start()

    def listen(self, subscription):
        while True:
            self.messages.put(subscription.read()[2].split())

    def run(self, script, *arguments):
        with self.mutex:
            return self.redis.call('EVAL', script, len(self.keys), *self.keys, *arguments)

    def __enter__(self):
        self.attempts += 1
        self.owner, position = '%s:%d' % (self.instance, self.attempts), 'tail'
        while not self.held.is_set():
            reply = self.run(self.acquire_script, self.owner, self.lease_millis, self.token, 1, 'lock:inbox:', position)
            if isinstance(reply, int) or reply[0] == 1:
                self.hold(reply if isinstance(reply, int) else reply[1])
            else:
                position = reply[2] if position == 'tail' else position
                self.await_grant(0.2 if reply[3] or reply[1] < 0 else min(2, reply[1] / 1000 + 0.001))
        return self.token

    def await_grant(self, seconds):
        end = time.monotonic() + seconds
        while not self.held.is_set() and time.monotonic() < end:
            try:
                message = self.messages.get(timeout=max(0, end - time.monotonic()))
            except queue.Empty:
                return
            if message[:2] == ['grant', self.owner] and self.renew(self.owner):
                self.hold(int(message[2]))

    def hold(self, token):
        self.token = token
        self.held.set()

    def renew(self, owner):
        return self.run(self.renew_script, owner, self.lease_millis, 0)[0] == 1

    def renew_while_held(self):
        while self.held.wait():
            time.sleep(self.lease_millis / 3000)
            owner = self.owner
            if self.held.is_set() and not self.renew(owner):
                self.lost = owner

    def __exit__(self, *failure):
        self.held.clear()
        reply = 3
        while reply == 3:
            reply = self.run(self.release_script, self.owner, self.token, self.lease_millis, 'lock:inbox:')
        if not reply or self.lost == self.owner:
            raise TimeoutError('the lock was lost')


if __name__ == '__main__':
    host, port, scripts, name, lease_millis, sections, seconds = sys.argv[1:]
    counter, lock = Redis(host, port), Lock(host, port, scripts, name, int(lease_millis))
    for _ in range(int(sections)):
        with lock as token:
            print('holds', token, flush=True)
            value = int(counter.call('GET', 'counter') or 0)
            time.sleep(float(seconds))
            counter.call('SET', 'counter', value + 1)
    print('done', flush=True)
