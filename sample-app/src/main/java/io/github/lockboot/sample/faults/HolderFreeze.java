package io.github.lockboot.sample.faults;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.stereotype.Component;

/**
 * Freezes this process at the worst moment: the library has just found that the thread
 * still holds its lock, and the database has not seen the fencing token yet.
 */
@Component
class HolderFreeze implements BeanPostProcessor {

	private final AtomicReference<@Nullable Runnable> next = new AtomicReference<>();

	/**
	 * Run something before the next statement that stores a fencing token, in a
	 * transaction that has not begun yet.
	 */
	void beforeNextToken(Runnable freeze) {
		this.next.set(freeze);
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		return (bean instanceof DataSource dataSource) ? new DelegatingDataSource(dataSource) {
			@Override
			public Connection getConnection() throws SQLException {
				Connection connection = super.getConnection();
				return (HolderFreeze.this.next.get() != null) ? watched(connection) : connection;
			}
		} : bean;
	}

	private Connection watched(Connection connection) {
		return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Connection.class },
				(proxy, method, arguments) -> {
					if (method.getName().equals("prepareStatement") && arguments[0].toString().contains("lock_fence")) {
						freeze();
					}
					try {
						return method.invoke(connection, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getTargetException();
					}
				});
	}

	private void freeze() {
		Runnable freeze = this.next.getAndSet(null);
		if (freeze != null) {
			freeze.run();
		}
	}

}
