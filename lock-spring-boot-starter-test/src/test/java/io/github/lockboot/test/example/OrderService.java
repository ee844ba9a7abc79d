package io.github.lockboot.test.example;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import io.github.lockboot.annotation.DistributedLock;

@Service
public class OrderService {

	private final JdbcClient db;

	private final Bank bank;

	OrderService(JdbcClient db, Bank bank) {
		this.db = db;
		this.bank = bank;
	}

	@DistributedLock(name = "order", key = "#orderId", waitTime = "0", fallback = "later")
	@Transactional
	public String pay(String orderId) {
		this.db.sql("INSERT INTO paid (order_id) VALUES (?)").param(orderId).update();
		this.bank.transfer(orderId);
		return "paid";
	}

	String later(String orderId) {
		return "payment in progress";
	}

	public interface Bank {

		void transfer(String orderId);

	}

}
