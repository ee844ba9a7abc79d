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
 * Transfers money from one account to another: reads both balances, checks, writes both.
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
	 * Transfer money while no other instance uses either account. The key evaluates to
	 * two names: both locks are acquired or none, always in the same order, so that two
	 * transfers in opposite directions cannot deadlock.
	 * @param from account to debit
	 * @param to account to credit
	 * @param amount the amount
	 * @return whether the balance was sufficient
	 */
	@DistributedLock(name = "account", key = "{#from, #to}", waitTime = "60s", leaseTime = "5s")
	@Transactional
	public boolean transferLocked(String from, String to, long amount) {
		return transfer(from, to, amount);
	}

	/**
	 * Transfer money without the locks.
	 * @param from account to debit
	 * @param to account to credit
	 * @param amount the amount
	 * @return whether the balance seemed sufficient
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
		// always written in one order, since without the lock the database would find
		// deadlocks
		new TreeMap<>(Map.of(from, ofFrom - amount, to, ofTo + amount)).forEach(this.accounts::write);
		return true;
	}

}
