package io.github.lockboot.sample.transfer;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import io.github.lockboot.annotation.DistributedLock;

/**
 * Moves money from one account to another: reads both balances, checks, writes both.
 */
@Service
public class Bank {

	private final Accounts accounts;

	private final Duration thinkTime;

	Bank(Accounts accounts, @Value("${sample.think-time}") Duration thinkTime) {
		this.accounts = accounts;
		this.thinkTime = thinkTime;
	}

	/**
	 * Move money while no other instance touches either account. The key yields two
	 * names: both locks are had, or none, and always in the same order, so that two
	 * transfers in opposite directions don't block each other for good.
	 * @param from account to take from
	 * @param to account to give to
	 * @param amount how much
	 * @return whether there was enough
	 */
	@DistributedLock(name = "account", key = "{#from, #to}", waitTime = "60s", leaseTime = "5s")
	@Transactional
	public boolean transferLocked(String from, String to, long amount) {
		return transfer(from, to, amount);
	}

	/**
	 * Move money without the locks.
	 * @param from account to take from
	 * @param to account to give to
	 * @param amount how much
	 * @return whether there seemed to be enough
	 */
	@Transactional
	public boolean transferUnlocked(String from, String to, long amount) {
		return transfer(from, to, amount);
	}

	private boolean transfer(String from, String to, long amount) {
		long ofFrom = this.accounts.balance(from);
		long ofTo = this.accounts.balance(to);
		if (ofFrom < amount) {
			return false;
		}
		LockSupport.parkNanos(this.thinkTime.toNanos());
		// written in one order, or the database would find deadlocks where there is no
		// lock
		new TreeMap<>(Map.of(from, ofFrom - amount, to, ofTo + amount)).forEach(this.accounts::write);
		return true;
	}

}
