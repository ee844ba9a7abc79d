package example;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.stereotype.Service;

import io.github.lockboot.LockOperations;
import io.github.lockboot.annotation.DistributedLock;

/**
 * An application that has the starter from a repository, and needs no Redis.
 */
@SpringBootApplication
public class Application {

	public static void main(String[] args) {
		SpringApplication application = new SpringApplication(Application.class);
		try (ConfigurableApplicationContext context = application.run("--lock.backend=local")) {
			System.out.println(context.getBean(Orders.class).pay("4711") + " on Spring Boot " + SpringBootVersion.getVersion());
		}
	}

	@Service
	static class Orders {

		private final LockOperations locks;

		Orders(LockOperations locks) {
			this.locks = locks;
		}

		@DistributedLock(name = "order", key = "#id")
		public String pay(String id) {
			this.locks.ensureHeld("order:" + id);
			return "Paid under a lock";
		}

	}

}
