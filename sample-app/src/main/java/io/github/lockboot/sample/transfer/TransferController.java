package io.github.lockboot.sample.transfer;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

import io.github.lockboot.sample.cluster.Fleet;
import io.github.lockboot.sample.cluster.Share;
import io.github.lockboot.sample.crowd.Crowd;
import io.github.lockboot.sample.crowd.Tally;
import io.github.lockboot.sample.feed.EventFeed;
import io.github.lockboot.sample.transfer.Accounts.Account;
import io.github.lockboot.sample.web.Input;

/**
 * Transfers money once, or many times over all instances.
 */
@RestController
class TransferController {

	private static final int ACCOUNTS = 6;

	private static final long BALANCE = 1000;

	private final Fleet fleet;

	private final Crowd crowd;

	private final Accounts accounts;

	private final Bank bank;

	private final EventFeed feed;

	TransferController(Fleet fleet, Crowd crowd, Accounts accounts, Bank bank, EventFeed feed) {
		this.fleet = fleet;
		this.crowd = crowd;
		this.accounts = accounts;
		this.bank = bank;
		this.feed = feed;
	}

	@PostMapping("/transfer")
	List<Account> transfer(@RequestParam String from, @RequestParam String to, @RequestParam long amount) {
		Input.between("amount", amount, 1, 1_000_000);
		if (from.equals(to)) {
			throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "'from' and 'to' are both '" + from + "'");
		}
		for (String account : List.of(from, to)) {
			if (!this.accounts.exists(account)) {
				throw new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no account '" + account + "'");
			}
		}
		if (!this.bank.transferLocked(from, to, amount)) {
			throw new ResponseStatusException(HttpStatus.CONFLICT, "'" + from + "' has less than " + amount);
		}
		return List.of(new Account(from, this.accounts.balance(from)), new Account(to, this.accounts.balance(to)));
	}

	@PostMapping("/transfers")
	TransferReport transfers(@RequestParam(defaultValue = "500") int count,
			@RequestParam(defaultValue = "lock") TransferGuard guard) {
		Input.between("count", count, 1, 5000);
		String run = "bank-" + UUID.randomUUID();
		this.accounts.open(run, ACCOUNTS, BALANCE);
		try {
			long start = System.currentTimeMillis();
			List<Share> shares = this.fleet.send("/transfers/share", run, guard, count);
			long duration = System.currentTimeMillis() - start;
			return TransferReport.of(guard, count, ACCOUNTS * BALANCE, money(run), duration, shares);
		}
		finally {
			this.accounts.close(run);
		}
	}

	@PostMapping("/transfers/share")
	Tally share(@RequestParam String run, @RequestParam TransferGuard guard, @RequestParam int callers) {
		return this.crowd.send(callers, run, () -> {
			ThreadLocalRandom random = ThreadLocalRandom.current();
			int from = random.nextInt(ACCOUNTS);
			int to = (from + random.nextInt(1, ACCOUNTS)) % ACCOUNTS;
			long amount = random.nextLong(1, 100);
			boolean moved = switch (guard) {
				case LOCK -> this.bank.transferLocked(run + "-" + from, run + "-" + to, amount);
				case NONE -> this.bank.transferUnlocked(run + "-" + from, run + "-" + to, amount);
			};
			if (this.feed.isWatched()) {
				this.feed.publish("transferred", Map.of("run", run, "off", money(run) - ACCOUNTS * BALANCE));
			}
			return moved;
		});
	}

	private long money(String run) {
		return this.accounts.of(run).stream().mapToLong(Account::balance).sum();
	}

}
